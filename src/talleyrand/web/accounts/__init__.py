"""People: who they are to the site, and what they prefer."""
