"""Whether the candidate of a past season's record had joined the season.

The stages of candidates who had not joined are stored too, so that undoing the opening of the next
season gives all stages back.
"""

import sqlalchemy as sa

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "past_season",
        sa.Column("had_joined", sa.Boolean, nullable=False, server_default=sa.true()),
    )


def downgrade() -> None:
    op.execute("delete from past_season where not had_joined")
    op.drop_column("past_season", "had_joined")
