"""Writes of the registry: one function per action of a person, audited, in one transaction."""
