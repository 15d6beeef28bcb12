"""Stored files: a row says what a file belongs to, and an object in the storage has its content.
Clients download files by temporary links.

For plugins: `files` (store, read, link and delete files), `config.add_content_type` from
`content_types` (for types of files that core does not know), and `pictures` (ReceivedFile: a
picture or document that a client sent and the service has checked).

`contract` is the interface of a storage, `local` and `s3` are the two built-in storages, and
`backends` chooses one. `orphans` deletes objects without a row.
"""
