"""The rules of pre-flight.

`papers` freezes and previews the paper, and `checks` runs all checks. The checks of this plugin are
in `questions` (the paper), `planning` (the exam) and `operations` (the service).
"""
