"""How people behave: whom one does not want to play with. Rows and rules, no pages."""
