"""What must last: copies of it, putting them back, and bringing an older data folder up to date."""
