"""A list of people as somebody else keeps it, understood line by line before anything is done with it.

`list_rows` makes rows of a file or of what was pasted, tells what stands in which column and reads each cell;
`parsed_list` puts them together, beside those who are known already.
"""
