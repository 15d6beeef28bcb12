"""Mails: a row when one is asked for, a job that sends it, a result on the row.

For plugins: `templates` (declaring a mail) and `mails` (sending one, and what became of it).
`sending` is the job, `message` makes the text and the HTML, `transport` takes them away.
"""
