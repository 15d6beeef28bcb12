"""Faster writing of many results.

Boards that a publication does not change share their entries. Large tables of results lose those
foreign keys that take longer to check than their rows to write. If every answer to a question
counts as correct, so does a missing answer.
"""

import sqlalchemy as sa

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def _accept(pattern: str) -> None:
    name = op.f("ck_correction_accepted")
    op.drop_constraint(name, "correction")
    op.create_check_constraint(name, "correction", f"accepted ~ '{pattern}'")


def upgrade() -> None:
    op.add_column("board", sa.Column("copy_of", sa.Integer(), nullable=True))
    op.create_foreign_key(op.f("fk_board_copy_of_board"), "board", "board", ["copy_of"], ["id"])
    op.create_index(op.f("ix_board_copy_of"), "board", ["copy_of"])
    op.drop_constraint(op.f("fk_board_entry_user_id_user"), "board_entry")
    op.drop_constraint(op.f("fk_board_entry_board_id_board"), "board_entry")
    op.drop_index("ix_board_entry_board_id_candidate_number", "board_entry")
    op.execute("alter table score set (fillfactor = 50)")
    op.drop_constraint(op.f("fk_regrade_difference_regrade_id_regrade"), "regrade_difference")
    op.drop_constraint(op.f("fk_regrade_difference_candidate_id_user"), "regrade_difference")
    _accept("^(A?B?C?D?|ABCD-)$")


def downgrade() -> None:
    _accept("^A?B?C?D?-?$")
    for table, column, target, ondelete in (
        ("regrade_difference", "candidate_id", "user", None),
        ("regrade_difference", "regrade_id", "regrade", "CASCADE"),
        ("board_entry", "user_id", "user", None),
        ("board_entry", "board_id", "board", "CASCADE"),
    ):
        name = op.f(f"fk_{table}_{column}_{target}")
        op.create_foreign_key(name, table, target, [column], ["id"], ondelete=ondelete)
    op.create_index(
        "ix_board_entry_board_id_candidate_number", "board_entry", ["board_id", "candidate_number"]
    )
    op.execute("alter table score reset (fillfactor)")
    # As in the previous version: each board has its own entries.
    op.execute(
        """
        insert into board_entry (
            board_id, position, rank, candidate_number, user_id, full_name, school, role, score,
            seconds_used, is_auto, participated_at
        )
        select
            board.id, position, rank, candidate_number, user_id, full_name, school, role, score,
            seconds_used, is_auto, participated_at
        from board join board_entry on board_entry.board_id = board.copy_of
        """
    )
    op.drop_index(op.f("ix_board_copy_of"), "board")
    op.drop_column("board", "copy_of")
