"""Emails: each is a row. A background job sends the email and stores the result in the row.

For plugins: `templates` (declare an email) and `mails` (send emails, and read their state).
`sending` is the job, `message` builds the text and the HTML, and `transport` delivers the message.
"""
