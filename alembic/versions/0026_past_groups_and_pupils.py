"""The group of a candidate in a past season, and the school whose own pupil the candidate was.

For seasons that were closed before, nobody knows them any longer, so they are those of today.
"""

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

# A candidate who has changed school since is no longer a pupil of the school of that season.
TODAY = """
update past_season
set "group" = "user"."group",
    pupil_of = (
        select school_id from pupil
        where user_id = "user".id and tie = 'ours' and past_season.school = "user".counted
    )
from (select id, "group", coalesce(approved_school, school) as counted from "user") as "user"
where "user".id = past_season.candidate_id
"""


def upgrade() -> None:
    op.add_column(
        "past_season", sa.Column("group", sa.String(50), nullable=False, server_default="")
    )
    op.add_column("past_season", sa.Column("pupil_of", sa.Integer))
    op.execute(TODAY)
    op.create_index(
        "ix_past_season_pupil_of",
        "past_season",
        ["pupil_of", "season_id"],
        postgresql_where=sa.text("pupil_of is not null"),
    )


def downgrade() -> None:
    op.drop_column("past_season", "pupil_of")
    op.drop_column("past_season", "group")
