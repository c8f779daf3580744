"""What leaves an event as a file: tables, wiki text, what other programs read, and the archive."""
