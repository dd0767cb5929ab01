"""Pages of scrabble."""
