"""Rating runs, ledger, published lists, ranking pages; scrabble with its BARRUF rating."""
