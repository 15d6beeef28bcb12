"""Texts are stored in one form, schools are compared by keys, and searches ignore accents."""

import json
from collections.abc import Callable

import sqlalchemy as sa

from alembic import op
from competition.core.texts import HIDDEN, HIDDEN_IN_LINES, email_form, name_key, stored_form

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# How many rows are changed in one transaction.
BATCH = 1000
# The texts of one line, and of several lines, by table.
LINE = {
    "user": ("first_name", "last_name", "school", "approved_school", "occupation"),
    "allowance": ("school",),
    "exam": ("title",),
    "question_image": ("alt",),
}
LINES = {
    "exam": ("description",),
    "question": ("text", "option_a", "option_b", "option_c", "option_d"),
}
KEYS = (("user", "school"), ("user", "approved_school"), ("allowance", "school"))
INVITERS = "password_is_chosen_by_inviter"
PARTS = "first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(school, '')"


def upgrade() -> None:
    # Each of these statements can be repeated, if a later one fails.
    with op.get_context().autocommit_block():
        for table, column in KEYS:
            op.execute(f'alter table "{table}" add column if not exists {column}_key varchar')
        for table, columns in LINE.items():
            _bring_to_form(table, columns, _line)
        for table, columns in LINES.items():
            _bring_to_form(table, columns, _lines)
        _bring_unique_to_form("api_key", "name", 100, _line)
        _bring_unique_to_form("user", "email", 254, email_form)
    op.add_column(
        "user", sa.Column(INVITERS, sa.Boolean, nullable=False, server_default=sa.false())
    )
    # These accounts have not been changed since their invitation.
    op.execute(f"""
        update "user" set {INVITERS} = true
        where is_invited and not is_email_verified and not password_is_generated
        and updated_at = date_joined
    """)
    op.execute("create extension if not exists unaccent")
    # An SQL-standard body stores which `unaccent` is meant. So the search path of a session or of a
    # restored backup makes no difference.
    op.execute("""
        create function search_key(text) returns text immutable parallel safe strict
        return lower(unaccent('unaccent'::regdictionary, normalize($1, nfkd)))
    """)
    op.execute(r"""
        create function search_pattern(text) returns text immutable parallel safe strict
        return '%' || regexp_replace(search_key($1), '([\\%_])', '\\\1', 'g') || '%'
    """)
    _search_by(f"search_key({PARTS})")
    # The table is locked now. These accounts were created or changed after their batch.
    _bring_to_form("user", LINE["user"], _line, "school is not null and school_key is null")
    op.drop_index("ix_user_name_school_id")
    op.execute("""
        create index ix_user_name_school_id on "user"
        (search_key(first_name), search_key(last_name), school_key, id) where school is not null
    """)
    op.execute("""
        create index ix_user_counted_school_key on "user"
        (coalesce(approved_school_key, school_key)) where school is not null
    """)
    op.drop_index("ix_question_text")
    op.execute(
        "create index ix_question_text on question using gin (search_key(text) gin_trgm_ops)"
    )


def downgrade() -> None:
    op.drop_index("ix_question_text")
    op.execute("create index ix_question_text on question using gin (text gin_trgm_ops)")
    op.drop_index("ix_user_counted_school_key")
    op.drop_index("ix_user_name_school_id")
    op.execute("""
        create index ix_user_name_school_id on "user"
        (lower(first_name), lower(last_name), lower(school), id) where school is not null
    """)
    _search_by(f"lower({PARTS})")
    op.execute("drop function search_pattern(text)")
    op.execute("drop function search_key(text)")
    op.drop_column("user", INVITERS)
    for table, column in KEYS:
        op.drop_column(table, f"{column}_key")


def _search_by(expression: str) -> None:
    op.execute(f'alter table "user" alter column search_text set expression as ({expression})')


def _line(text: str) -> str:
    return stored_form(HIDDEN.sub("", text))


def _lines(text: str) -> str:
    return stored_form(HIDDEN_IN_LINES.sub("", text), lines=True)


def _formed(text: str | None, form: Callable[[str], str]) -> str | None:
    """The text in its form. A text that shows nothing, or whose form is longer, stays as it is."""
    formed = form(text or "")
    return formed if text and 0 < len(formed) <= len(text) else text


def _bring_to_form(
    table: str, columns: tuple[str, ...], form: Callable[[str], str], condition: str = "true"
) -> None:
    """Bring these columns of all rows to their form, and fill the columns of their keys."""
    keys = [column for of_table, column in KEYS if of_table == table]
    stored = ", ".join(f'"{table}".{column}' for column in columns)
    identity = "uuid" if table == "user" else "integer"
    new = [*columns, *(f"{column}_key" for column in keys)]
    selected = f'select id, {stored} from "{table}" where {condition}'
    # A row that somebody has changed in the meantime stays as it is.
    changed = f"""
        update "{table}" set {", ".join(f"{name} = new.{name}" for name in new)}
        from jsonb_to_recordset(:rows) as new (id {identity}, old jsonb, {" text, ".join(new)} text)
        where "{table}".id = new.id and jsonb_build_array({stored}) = new.old
    """
    connection = op.get_bind()
    after, last = "", None
    while rows := connection.execute(
        sa.text(f"{selected} {after} order by id limit {BATCH}"), {"last": last}
    ).all():
        made = []
        for row in rows:
            values = {name: _formed(getattr(row, name), form) for name in columns}
            names = {f"{name}_key": values[name] and name_key(values[name]) for name in keys}
            if names or [*values.values()] != [*row[1:]]:
                made.append({"id": str(row.id), "old": [*row[1:]], **values, **names})
        connection.execute(sa.text(changed), {"rows": json.dumps(made)})
        after, last = "and id > :last", rows[-1].id


def _bring_unique_to_form(
    table: str, column: str, longest: int, form: Callable[[str], str]
) -> None:
    """Bring a unique column to its form. Values that would then be twice stay, and are listed.

    Most values are ASCII, and have their form.
    """
    connection = op.get_bind()
    changing = f"""
        select id, {column} from "{table}"
        where octet_length({column}) > length({column}) or {column} like '%  %' order by id
    """
    for row in connection.execute(sa.text(changing)).all():
        formed = form(row[1])
        if formed != row[1] and 0 < len(formed) <= longest:
            changed = connection.execute(
                sa.text(f"""
                    update "{table}" set {column} = :formed where id = :id
                    and not exists (select from "{table}" where {column} = :formed)
                """),
                {"formed": formed, "id": row.id},
            )
            if not changed.rowcount:
                print(
                    f"The {column} {row[1]!r} of {table} {row.id} stays as it is, because {formed!r}"
                    " exists already. Please decide which of the two is needed."
                )
