"""The rules of clarifications.

`asking` is what candidates do, `answering` what staff do with their questions, and `announcing`
tells everybody something. `messages` tells candidates of both.
"""
