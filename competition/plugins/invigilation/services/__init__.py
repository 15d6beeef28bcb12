"""The rules of invigilation: `watching` has the state of each candidate, `gauges` the totals over
all exams."""
