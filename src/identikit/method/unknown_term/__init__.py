"""A term that nobody knows, learnt inside the equations that are known: a small network in its place."""
