"""What starts and serves the site; it knows everything."""
