"""Letters by mail, with nothing of their writers but their words."""
