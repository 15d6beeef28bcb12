"""Tune Python's garbage collector for the processes of the service."""

import gc

# The number of new objects after which the collector runs. It is high, because requests and pushes
# create few reference cycles, and only those need the collector.
ALLOCATIONS_BETWEEN_COLLECTIONS = 20_000


def collect_seldom() -> None:
    """Run the garbage collector less often. Call this when a process starts.

    Almost all objects that a process creates at its start stay in use, so the collector finds
    little to delete. With Python's default threshold, it would take a twentieth of the time that
    the start takes.
    """
    gc.set_threshold(max(gc.get_threshold()[0], ALLOCATIONS_BETWEEN_COLLECTIONS))


def exclude_existing_objects() -> None:
    """Exclude all objects that exist now from garbage collection, and collect less often.

    Call this when a process has created its long-lived objects. Otherwise each collection would
    examine these objects again. That would take half of the time of a large push, and 3% of the
    time of a request.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
