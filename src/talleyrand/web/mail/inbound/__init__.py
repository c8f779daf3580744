"""Mail comes in: the server, what is kept of it, and who answers for which address."""
