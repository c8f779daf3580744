"""What every app uses; it knows none of them."""
