"""The rules of clarifications.

`asking` stores questions of candidates, `answering` the answers of staff, and `announcing` their
announcements. `messages` pushes both to candidates, `reading` lists questions, and `personal_data`
exports, erases and deletes them.
"""
