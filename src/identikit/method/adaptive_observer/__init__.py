"""The universal adaptive stabilizer: observer, Nussbaum functions, adaptation law and what it comes to."""
