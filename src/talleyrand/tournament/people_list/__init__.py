"""A list of people as somebody else keeps it, understood line by line before anything is done with it.

`texts` makes rows of a file or of what was pasted, `columns` tells what stands in which column, `cells` reads
one, `reading` puts them together, beside those who are known already.
"""
