"""Files that core and plugins keep: a row each says whose it is, an object in the storage is what
is in it, and a temporary link gives it out.

For plugins: `files` (keeping, reading, giving out, deleting), and `config.add_content_type`, by
`content_types`, for what core does not know; `pictures` (ReceivedFile: a picture or document that
a client sent, and that was checked). `contract` is what a storage is, `local` and `s3` are
the two that come with the service, `backends` chooses; `links` signs links that the service answers
itself; `orphans` deletes objects that have no row.
"""
