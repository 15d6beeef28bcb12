"""`make bench`: measure the cost of each request on this machine.

The benchmark creates a league in an empty database (`world`) and starts the service as in
production (`processes`). Another process (`load`) sends the requests of each path (`paths`), in
rounds that alternate with rounds of two baselines (`floor`). On a busy machine, absolute times mean
little. The CPU time relative to the baselines of the same run can be compared between runs.
docs/performance.md explains the output.

The other parts measure an exam day with all candidates at once (`exam_day`), a flood of logins
(`flood`), lists of people (`lists`), live pushes (`sockets`), and results: `analysis`, `regrades`
and `advancement`.
"""
