"""The rules of drafts.

`saving` and `reading` save and read drafts, `handing_in` submits them when the time is over, and
`personal_data` exports, erases and deletes them.
"""
