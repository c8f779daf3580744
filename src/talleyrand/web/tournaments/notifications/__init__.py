"""What a tournament tells by itself: its people, and a chat."""
