from sqlalchemy import Identity
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class OutsideRow(Base):
    __tablename__ = "outside_table"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
