"""What leaves a tournament on paper or as a file, and what comes in."""
