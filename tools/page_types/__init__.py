"""`make types`: write the types of the API for the pages, from the documents of the service.

`make check` writes them again and fails if they differ, then checks the modules of the pages with
TypeScript. Both need npm, and a network the first time. Without these they are skipped, with a
message.
"""
