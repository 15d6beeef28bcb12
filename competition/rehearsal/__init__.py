"""`competition rehearse`: an exam day on a running service, which accounts for every answer.

It creates its own exam and candidates, and deletes them afterwards.
"""
