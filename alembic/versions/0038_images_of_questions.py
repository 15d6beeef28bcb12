"""Images that questions show, and the questions and papers that show them."""

import sqlalchemy as sa

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "question_image",
        sa.Column("id", sa.Integer(), sa.Identity(always=False), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("alt", sa.String(length=500), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["file"], ["file.key"], name=op.f("fk_question_image_file_file")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_image")),
        sa.UniqueConstraint("file", name=op.f("uq_question_image_file")),
    )
    op.create_index("ix_question_image_created_at_id", "question_image", ["created_at", "id"])
    for table, owner, key in (
        ("question_image_use", "question", "question_id"),
        ("paper_image", "paper", "exam_id"),
    ):
        op.create_table(
            table,
            sa.Column(key, sa.Integer(), nullable=False),
            sa.Column("image_id", sa.Integer(), nullable=False),
            sa.ForeignKeyConstraint(
                [key],
                [f"{owner}.{'exam_id' if owner == 'paper' else 'id'}"],
                name=op.f(f"fk_{table}_{key}_{owner}"),
                ondelete="CASCADE",
            ),
            sa.ForeignKeyConstraint(
                ["image_id"],
                ["question_image.id"],
                name=op.f(f"fk_{table}_image_id_question_image"),
            ),
            sa.PrimaryKeyConstraint(key, "image_id", name=op.f(f"pk_{table}")),
        )
        op.create_index(op.f(f"ix_{table}_image_id"), table, ["image_id"])


def downgrade() -> None:
    op.drop_table("paper_image")
    op.drop_table("question_image_use")
    op.drop_table("question_image")
