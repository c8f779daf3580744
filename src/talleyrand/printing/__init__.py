"""What is put on paper: the history of a game, and the only door to the maker of PDFs."""
