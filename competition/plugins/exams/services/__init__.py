"""The rules of exams.

`planning` creates, changes, concludes and deletes exams. `questions` returns and sets the questions
of an exam, `links` adds single questions to exams or removes them, `papers` freezes the paper, and
`rows` finds and locks the row of an exam.
"""
