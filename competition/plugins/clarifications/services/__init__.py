"""The rules of clarifications.

`asking` stores questions of candidates, `answering` the answers of staff, and `announcing` their
announcements. `messages` pushes both to candidates, `reading` lists questions, `closing` dismisses
open questions when the results are published, and `personal_data` exports, erases and deletes
questions.
"""
