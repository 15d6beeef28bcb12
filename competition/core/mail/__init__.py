"""Emails: each is a row, which a background job sends and marks with the result.

For plugins: `templates` (declare an email) and `mails` (send one, and read its state). `sending` is
the job, `message` builds the text and the HTML, and `transport` delivers the message.
"""
