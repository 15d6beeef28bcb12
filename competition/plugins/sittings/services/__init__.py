"""The rules of sittings.

`taking` opens the paper and starts the clock, `clock` computes the deadline, `answers` reads and
packs answers, `submitting` stores them, `sealing` ends an exam permanently, `waiting` checks
whether the service still has answers to submit after the end, `reopening` withdraws submissions so
that candidates can continue, `signs` records when a candidate was last seen, `withholding` decides
which answers are withheld although an exam is published, and `account_use` keeps accounts from
being deleted during an exam.
"""
