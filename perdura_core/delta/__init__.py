"""The way of a worker's words into the graph: parse, validate, plan a merge. Pure."""
