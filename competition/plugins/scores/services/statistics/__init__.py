"""Statistics computed from scores: of a `candidate`, of an `exam`, and of the whole `season`.

Scores in deleted exams still count.
"""
