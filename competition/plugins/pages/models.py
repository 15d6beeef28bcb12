from datetime import datetime

from sqlalchemy import ForeignKey, Identity, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class PagesKey(Base):
    """An API key of the pages. The newest valid key is in use.

    The key itself is stored, not only a hash: it is no secret, because everyone who opens a page
    gets it.
    """

    __tablename__ = "pages_key"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    api_key_id: Mapped[int] = mapped_column(
        ForeignKey("api_key.id", ondelete="CASCADE"), unique=True
    )
    key: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime]
