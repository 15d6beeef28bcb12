"""Store the other names of a school in its row, for suggestions while somebody types."""

import sqlalchemy as sa

from alembic import op

revision = "0021"
down_revision = "0020"
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
    op.add_column("school", sa.Column("other_names", sa.String, nullable=False, server_default=""))
    op.execute(EXISTING)
    op.drop_index("ix_school_name", "school")
    _order_by("C")
    op.create_index(
        "ix_school_suggested",
        "school",
        ["searched", "key"],
        postgresql_where=sa.text("is_listed"),
    )


def downgrade() -> None:
    op.drop_index("ix_school_suggested", "school")
    _order_by("default")
    op.create_index(
        "ix_school_name", "school", ["searched"], postgresql_ops={"searched": "text_pattern_ops"}
    )
    op.drop_column("school", "other_names")


def _order_by(collation: str) -> None:
    op.execute(f'alter table school alter column searched type varchar collate "{collation}"')
