"""Reads of the registry."""
