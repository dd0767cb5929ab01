"""What is done with uploads: receive, repair, decide, store, withdraw."""
