"""The books: what each says, where two differ, and one position judged by all of them."""
