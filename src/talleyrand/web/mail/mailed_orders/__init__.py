"""Sheets of orders by mail, and late ones that are let in."""
