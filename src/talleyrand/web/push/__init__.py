"""News on phones: devices that their owners have registered, and what is sent to their push services."""
