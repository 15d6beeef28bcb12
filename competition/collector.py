"""Python's garbage collector, in processes that serve."""

import gc

# Objects that are made before it is looked for cycles: what a request or a push makes is mostly
# without.
ALLOCATIONS_BETWEEN_COLLECTIONS = 20_000


def pass_over_what_is_here() -> None:
    """Called once a process has made what stays until its end: to look through that again and again
    would be half of a large push, and a thirtieth of each request."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
