"""`make bench`: what each request costs, measured on the machine it runs on.

A world is made in a database of its own (`world`), the service is started as in production
(`processes`), and each path (`paths`) is driven from another process (`load`), in turns with two
yardsticks (`floor`). Absolute times say little on a machine that does other things too: what counts
is CPU time, and the ratio to the yardsticks of the same run. How to read it: docs/performance.md.

`lists`, `analysis`, `advancement` and `sockets` measure the lists of people, the analysis of an
exam, promotions and the live pushes.
"""
