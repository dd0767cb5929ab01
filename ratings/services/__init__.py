"""Writes: one function per action of a person."""
