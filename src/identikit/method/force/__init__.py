"""Restoring forces: points and laws."""
