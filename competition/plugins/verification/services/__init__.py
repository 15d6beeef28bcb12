"""The rules of verification. Before a request changes, its user's row is locked.

`submitting` stores documents, and `deciding` approves or rejects them. `changes` holds back changes
to an approved identity. `reading` and `listing` show requests, and `retention` deletes documents.
"""
