"""Pages of the shell."""
