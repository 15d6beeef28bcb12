"""The rules of drafts.

`saving` and `reading` save and read drafts, `handing_in` submits them when the time is over,
`reopening` makes a submission a draft again, and `personal_data` exports, erases and deletes them.
"""
