"""Background work that is not lost: a task is declared, a job is a row, a worker runs it.

For plugins: `tasks` (declaring one), `jobs` (``jobs.enqueue(work, …)`` asks for a run),
`runner.Run` (what a task in steps works with), `lanes` (threads of their own for slow work),
`aggregates` (numbers that periodic work computes), `housekeeping` (what goes after a while).
`runner`, `leases`, `ticks` and `doorbell` are what a worker is made of.
"""
