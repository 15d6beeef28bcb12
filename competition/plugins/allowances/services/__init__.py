"""The rules of allowances.

`giving` gives extra time in an exam, with the SQL of `adding`. `listing` lists it, `percent` sets a
candidate's percentage for every exam, and `clocks` finds the changed clocks that are pushed to
connected clients.
"""
