"""The public shell: base templates, tables, exports, search, feeds, health."""
