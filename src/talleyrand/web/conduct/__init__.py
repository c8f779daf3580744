"""How people behave: whom one blocks, what is reported, who is warned or banned. Rows and rules, no pages."""
