from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from competition.core.work import Work


def is_healthy(work: Work) -> bool:
    """The database answers."""
    try:
        work.db.execute(text("select 1"))
    except SQLAlchemyError:
        return False
    return True
