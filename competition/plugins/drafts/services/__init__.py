"""The rules of drafts: `saving` by candidates, `reading` by them and by staff, `handing_in` when
the time is over, `personal_data` with how long they are kept."""
