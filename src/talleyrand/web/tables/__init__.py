"""Games round a table: one laptop, a phone for each player, a screen for the room; nobody needs an account.

A table is a game like any other (`talleyrand.web.games`), led by a game master that is no person: the
table's host. Each player is a guest (`accounts.guests`), whom a phone is by what its session keeps.
"""
