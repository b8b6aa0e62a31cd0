"""Measurements of the program and of its ideas, each a command that prints a table."""
