"""Build replies about leaderboards and their publication."""
