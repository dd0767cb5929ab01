"""Pure rules shared by all games: no framework, database, clock or global randomness."""
