"""Files as rows"""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

COLUMNS = ("face_id", "id_card", "verification_document", "profile_picture")


def upgrade() -> None:
    op.create_table(
        "file",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("plugin", sa.String(length=100), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("content_type", sa.String(length=100), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_file")),
    )
    op.create_index(op.f("ix_file_subject"), "file", ["subject"], unique=False)
    # Block uploads until the commit: a file uploaded now would get no row and be deleted.
    op.execute('lock table "user" in share row exclusive mode')
    # The upload time and the size of existing files are not known.
    op.execute(
        """
        insert into file (key, plugin, subject, content_type, size, created_at)
        select distinct on (stored.key)
            stored.key,
            stored.plugin,
            'user ' || "user".id,
            case substring(stored.key from '[^.]*$')
                when 'jpg' then 'image/jpeg'
                when 'png' then 'image/png'
                when 'webp' then 'image/webp'
                when 'pdf' then 'application/pdf'
                else 'application/octet-stream'
            end,
            null,
            "user".updated_at
        from "user"
        cross join lateral (values
            (face_id, 'verification'),
            (id_card, 'verification'),
            (verification_document, 'verification'),
            (profile_picture, 'people')
        ) as stored (key, plugin)
        where stored.key is not null
        order by stored.key, "user".id
        """
    )
    for column in COLUMNS:
        op.create_foreign_key(op.f(f"fk_user_{column}_file"), "user", "file", [column], ["key"])
        op.create_index(
            f"ix_user_{column}",
            "user",
            [column],
            unique=False,
            postgresql_where=sa.text(f"{column} is not null"),
        )


def downgrade() -> None:
    for column in COLUMNS:
        op.drop_index(
            f"ix_user_{column}",
            table_name="user",
            postgresql_where=sa.text(f"{column} is not null"),
        )
        op.drop_constraint(op.f(f"fk_user_{column}_file"), "user", type_="foreignkey")
    op.drop_index(op.f("ix_file_subject"), table_name="file")
    op.drop_table("file")
