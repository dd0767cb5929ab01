"""Background jobs: state, progress, log, one-at-a-time lock."""
