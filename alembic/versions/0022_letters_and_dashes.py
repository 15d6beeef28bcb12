"""Search regardless of ς, and have no second dot in addresses. Migration 0028 computes keys of names."""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

# How many accounts are changed in one transaction.
BATCH = 1000
SEARCH_KEY = """
create or replace function search_key(text) returns text immutable parallel safe strict
return {}
"""
LOWER = "lower(unaccent('unaccent'::regdictionary, normalize($1, nfkd)))"


def upgrade() -> None:
    # Each of these statements can be repeated, if a later one fails.
    with op.get_context().autocommit_block():
        op.execute(SEARCH_KEY.format(f"translate({LOWER}, 'ς', '\u03c3')"))
        _search_again()
        _fold_addresses()


def downgrade() -> None:
    op.execute(SEARCH_KEY.format(LOWER))


def _search_again() -> None:
    """Compute again what contains the former result of `search_key`. A change of a computed column
    also renews the row in all indexes."""
    for table, column, searched in (
        ("user", "first_name", "search_text"),
        ("school", "name", "searched"),
        ("school_alias", "name", "searched"),
    ):
        batch = f"""
            update "{table}" set {column} = {column} where id in
            (select id from "{table}" where {searched} like '%ς%' order by id limit {BATCH})
        """
        while _run(batch).rowcount:
            pass
    op.execute("reindex index ix_question_text")


def _fold_addresses() -> None:
    """Replace i with a second dot, which came from İ, in addresses. If the owner has received an
    email there, it is the address of a mailbox, and stays."""
    for row in _run(
        "select id, email from \"user\" where email like '%i\u0307%' order by id"
    ).all():
        changed = _run(
            """
            update "user" set email = :email where id = :id and not is_email_verified
            and not exists (select from "user" where email = :email)
            """,
            email=row.email.replace("i\u0307", "i"),
            id=row.id,
        )
        if not changed.rowcount:
            print(
                f"The email {row.email!r} of user {row.id} stays as it is, because it is verified,"
                " or because another account has this address without the dots. Please ask the"
                " owner for the right address."
            )


def _run(statement: str, **values: Any) -> sa.CursorResult[Any]:
    return op.get_bind().execute(sa.text(statement), values)
