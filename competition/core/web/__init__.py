"""HTTP: declare endpoints, check requests and answer them.

For plugins: `service` (Service, which declares endpoints), `endpoint` (the options of an endpoint),
`request` (Request), `paging` (lists), `forms` (files of a form), `counting` (rate limits of
requests) and `html` (web pages outside ``/v1``).

A request passes `policy` (who may call the endpoint), `checks` (path, headers, guard, input) and
`answering` (the view, and its reply).
"""
