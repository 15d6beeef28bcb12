"""Jobs render the stored questions again, because formulas are again said in other words."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Papers come second, and a new database has nothing to render.
    op.execute("""
        insert into job (name, key, args, state, attempts, run_after, request_id, created_at)
        select name, '', '{}', 'pending', 0, now(), 'migration 0029', now()
        from unnest(array['questions.render_again', 'exams.render_again']) name
        where exists (select from question where rendered is not null)
        or exists (select from paper)
    """)


def downgrade() -> None:
    op.execute("""
        delete from job
        where name in ('questions.render_again', 'exams.render_again')
        and request_id = 'migration 0029'
    """)
