"""The texts of questions with their formulas and images, as HTML and in words.

Questions that were saved before stay plain: the columns are null.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("rendered", "spoken"):
        column = postgresql.JSONB(none_as_null=True, astext_type=sa.Text())
        op.add_column("question", sa.Column(name, column, nullable=True))


def downgrade() -> None:
    op.drop_column("question", "spoken")
    op.drop_column("question", "rendered")
