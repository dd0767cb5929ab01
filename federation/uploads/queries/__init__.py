"""Reads of uploads: lists, and the analysis of one."""
