"""The intake of directors' files, the same for every game."""
