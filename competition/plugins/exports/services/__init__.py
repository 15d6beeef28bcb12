"""The rules of exports: `writing` writes a table to a temporary file, `formats` has the formats of
files, and `names` the names of files."""
