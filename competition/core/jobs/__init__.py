"""Background jobs that survive a crash: jobs are rows in PostgreSQL, and workers run them.

For plugins: `tasks` (declare a task), `jobs` (``jobs.enqueue(work, …)`` enqueues a job of it),
`runner.Run` (the transactions of a task in steps), `lanes` (separate threads for slow tasks),
`aggregates` (numbers that a periodic task computes), `housekeeping` (deletion of old rows). A
worker consists of `runner`, `leases`, `ticks` and `doorbell`.
"""
