"""Background work that is not lost: a task is declared, a job is a row, a worker runs it.

For plugins: `tasks` (declaring one; ``work.enqueue`` asks for a run), `runner.Run` (what a task in
steps works with), `aggregates` (numbers over everybody), `housekeeping` (what goes after a while).
`runner`, `sweep` and `doorbell` are what a worker is made of, `operators` what they see and do.
"""
