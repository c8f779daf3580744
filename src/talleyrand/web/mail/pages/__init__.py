"""The pages on the post: a player’s, an inviter’s, a game master’s, an administrator’s."""
