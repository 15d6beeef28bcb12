"""The rules of operations.

`operations` lists and changes flags, API keys, jobs and emails. `backups` stores the reports of
backups, `metrics` decides who may read the metrics, and `commits` has a gauge of commits that wait
for a standby.
"""
