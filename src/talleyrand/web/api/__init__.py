"""The site for programs: the same services as the pages, by tokens, with a schema."""
