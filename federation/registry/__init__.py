"""People, clubs, seasons, events and entries shared by all games."""
