"""Delete stored objects without a row, some time after they were stored.

Such objects remain if a process dies before it deletes the file of a failed transaction, or if the
storage fails to delete an object.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice

from sqlalchemy import select

from competition.core.jobs.lanes import SLOW
from competition.core.jobs.tasks import task
from competition.core.storage.contract import Storage
from competition.core.storage.keys import is_key
from competition.core.storage.models import File
from competition.core.work import Work

BATCH = 1000
# The age from which an object without a row is deleted. A younger one may belong to a transaction
# that has not committed yet.
AGE = timedelta(hours=24)


@task("core.delete_orphans", every=timedelta(days=1), lane=SLOW)
def delete_orphans(work: Work) -> None:
    """Delete objects that have no row. Objects whose names are not keys of this service stay."""
    storage = work.runtime[Storage]
    old = storage.keys(before=work.now - AGE)
    for keys in _batches(filter(is_key, old)):
        have_a_row = set(work.db.scalars(select(File.key).where(File.key.in_(keys))))
        for key in keys:
            if key not in have_a_row:
                storage.delete(key)


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, BATCH)):
        yield batch
