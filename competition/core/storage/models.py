"""The table of files."""

from datetime import datetime

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class File(Base):
    """A stored file, and whose it is. An object in the storage that has no row here is deleted."""

    __tablename__ = "file"

    # Of the object. What refers to a file has this as a foreign key.
    key: Mapped[str] = mapped_column(primary_key=True)
    # Which one keeps it.
    plugin: Mapped[str] = mapped_column(String(100))
    # What it belongs to and is deleted with, such as "user 8f14e45f-…".
    subject: Mapped[str] = mapped_column(String(200), index=True)
    content_type: Mapped[str] = mapped_column(String(100))
    # In bytes; unknown for those from before there were rows.
    size: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
