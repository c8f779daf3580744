"""Who plays by post, and all that is sent to him."""
