"""Rules: one file per diagnostic code, with its docs page as docstring."""
