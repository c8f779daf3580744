"""Text to orders and back: French and English lines, whole sheets, suggestions."""
