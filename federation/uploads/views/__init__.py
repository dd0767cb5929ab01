"""Pages of the intake of files: choose, send, check rows, decide people, effect, receipt."""
