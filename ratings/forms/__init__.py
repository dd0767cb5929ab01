"""Forms of the desk: what a person typed, read and judged by the rules of the core."""
