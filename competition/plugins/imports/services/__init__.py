"""The rules of imports."""
