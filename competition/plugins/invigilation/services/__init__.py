"""The rules of invigilation: `watching` finds the state of each candidate of an exam, `gauges` adds
up the states of all running exams for the metrics."""
