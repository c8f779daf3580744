"""What those do who only look on: follow games, and say what they think of them."""
