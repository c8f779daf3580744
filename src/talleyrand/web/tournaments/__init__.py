"""Tournaments on the site: rows that keep an event and its journal, and pages for everybody there."""
