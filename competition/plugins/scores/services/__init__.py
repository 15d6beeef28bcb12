"""The rules of scores. The docstring of the package `scores` says what each module does."""
