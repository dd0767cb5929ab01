"""The Django project, and everything the games share."""
