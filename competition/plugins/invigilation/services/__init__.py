"""The rules of invigilation: `watching` finds the state of each candidate of an exam, and `gauges`
counts the states in all running exams for the metrics."""
