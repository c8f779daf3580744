"""What an administrator sets, and what an update changes."""
