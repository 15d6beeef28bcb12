"""The rules of invigilation: `signs` has when candidates were last seen, `watching` where they
stand, `gauges` how many do, over all exams."""
