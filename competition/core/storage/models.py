"""The table of files."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class File(Base):
    """A stored file and the object that it belongs to. Housekeeping deletes stored objects without
    a row in this table."""

    __tablename__ = "file"

    # The object's key in the storage. Tables that refer to a file have a foreign key to it.
    key: Mapped[str] = mapped_column(primary_key=True)
    # The plugin that stored the file.
    plugin: Mapped[str] = mapped_column(String(100))
    # The object that the file belongs to and is deleted with, such as "user 8f14e45f-…".
    subject: Mapped[str] = mapped_column(String(200), index=True)
    content_type: Mapped[str] = mapped_column(String(100))
    # In bytes.
    size: Mapped[int] = mapped_column(BigInteger)
    # SHA-256 of the content, by which files with the same content are found.
    digest: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]

    __table_args__ = (Index("ix_file_digest_key", "digest", "key"),)
