"""Commands of the shell of the site."""
