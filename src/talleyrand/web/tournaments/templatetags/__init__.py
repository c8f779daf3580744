"""Words of tournaments in templates."""
