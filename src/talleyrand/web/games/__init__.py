"""Games played on line: seats, orders, deadlines, game masters."""
