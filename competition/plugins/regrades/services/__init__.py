"""The rules of regrades.

`changes` turns changes into corrections of the answer key, and checks them. `results` reads the
scores and ranks of an exam, and stores how two such results differ. `applying` previews, applies
and reverts regrades, and `reading` finds stored regrades.
"""
