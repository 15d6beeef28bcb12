"""Remove the other names from the rows of schools: processes load and cache all names."""

import sqlalchemy as sa

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

EXISTING = """
update school set other_names = found.names
from (
    select school_id, string_agg(searched, E'\\n') as names from school_alias group by school_id
) as found
where school.id = found.school_id
"""


def upgrade() -> None:
    op.drop_index("ix_school_suggested", "school")
    op.drop_column("school", "other_names")


def downgrade() -> None:
    op.add_column("school", sa.Column("other_names", sa.String, nullable=False, server_default=""))
    op.execute(EXISTING)
    op.create_index(
        "ix_school_suggested",
        "school",
        ["searched", "key"],
        postgresql_where=sa.text("is_listed"),
    )
