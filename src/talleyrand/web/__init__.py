"""The site: a Django project with the practice board."""
