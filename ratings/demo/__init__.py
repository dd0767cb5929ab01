"""The sample federation: invented people, clubs and four seasons of scrabble, always the same."""
