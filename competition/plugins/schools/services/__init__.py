"""The rules of schools: their names, merging them, and ranking them."""
