"""Every number that is computed from scores, by what a reader asks about: a `candidate`, an `exam`,
the `season`. Scores in an exam that was deleted since count on."""
