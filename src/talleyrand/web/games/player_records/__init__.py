"""What is counted of the people who played a game that is over: turning up, results, ratings."""
