"""The slot in the replies about regrades, for the fields of other plugins."""

from competition.core.slots import Slot

# Effects of a regrade; the key is the regrade's id.
EFFECT = Slot[int]("regrades.effect", ("in", "out"))
