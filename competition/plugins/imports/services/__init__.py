"""The rules of imports.

`asking` uploads, reads and cancels imports, `checking` checks an uploaded file in a job, and
`applying` applies a checked import in another job. `reading` reads files, `rows` stores the rows,
`templates` writes example files, and `retention` deletes and exports rows.
"""
