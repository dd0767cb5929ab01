"""The pure rules of the BARRUF rating and the readers of scrabble files."""
