"""HTTP: how an endpoint is declared, what may come in, what goes out, and the document of it all.

For plugins: `service` (Service, the one way to declare an endpoint), `request` (Request), `schemas`
and `paging` (what may come in, and for lists), `uploads` (files of a form), `limits` (limits of
their own). `policy`, `openapi`, `cors` and `downloads` work by themselves.
"""
