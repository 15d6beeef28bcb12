"""The rules of verification. What moves a request holds the lock on its user's row.

`submitting` takes documents and `deciding` decides on them. `changes` holds back what users want
to change of an approved identity. `reading` and `listing` show requests, and `retention` deletes
documents.
"""
