"""Servers that the tests talk to over real HTTP."""
