"""`make types`: write the types of the API for the pages, from the documents of the service.

`make check` writes them too, and checks the modules of the pages with TypeScript. Both need npm,
and a network the first time. Without these they are skipped, with a message.
"""
