"""Values that the service always stores are required, and PostgreSQL has no defaults for them."""

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DEFAULTS = (
    ("session", "second_factor", sa.false()),
    ("audit", "is_erasable", sa.false()),
    ("exam", "ranking", "standard"),
    ("board", "ranking", "standard"),
    ("attempt", "extra_percent", "0"),
    ("attempt", "is_opened", "true"),
    ("submission", "handed_in_by", "candidate"),
)
REQUIRED = (
    ("file", "size"),
    ("file", "digest"),
    ("advancement_candidate", "rank"),
    ("advancement_candidate", "total"),
    ("advancement_candidate", "reason"),
)
DIGEST = "ix_file_digest_key"


def upgrade() -> None:
    for table, column, _ in DEFAULTS:
        op.alter_column(table, column, server_default=None)
    for table, column in REQUIRED:
        op.alter_column(table, column, nullable=False)
    op.drop_index(DIGEST)
    op.create_index(DIGEST, "file", ["digest", "key"])
    # The questions of papers have all their fields, also those that are null.
    op.execute("""
        update paper set questions = (
            select jsonb_agg(
                jsonb_build_object('rendered', null, 'spoken', null) || question order by number
            )
            from jsonb_array_elements(questions) with ordinality as asked (question, number)
        )
    """)


def downgrade() -> None:
    op.execute("update paper set questions = jsonb_strip_nulls(questions)")
    op.drop_index(DIGEST)
    op.create_index(
        DIGEST, "file", ["digest", "key"], postgresql_where=sa.text("digest is not null")
    )
    for table, column in REQUIRED:
        op.alter_column(table, column, nullable=True)
    for table, column, default in DEFAULTS:
        op.alter_column(table, column, server_default=default)
