"""Mutants: does a test fail when the code that users rely on is changed? See `__main__.py`."""
