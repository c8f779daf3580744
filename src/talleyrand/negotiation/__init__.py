"""What a person and a bot may agree on: proposals, answers, who kept their word, and what a bot owes."""
