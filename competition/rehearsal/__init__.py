"""`competition rehearse`: simulate an exam day on a running service, and check that no answer is
lost.

It creates its own exam and candidates, and deletes them afterwards.
"""
