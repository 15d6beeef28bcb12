"""Compare names regardless of forms of quotation marks, dashes and blanks, and of Ş and Ș; search
regardless of invisible characters, too.

Keys are also computed for the change of Turkish letters i and of dashes, which came with 0022.
"""

from typing import Any

import sqlalchemy as sa

from alembic import op
from competition.core.texts import name_key

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

# How many accounts are changed in one transaction.
BATCH = 1000
LONGEST_NAME = 200
# Characters that a search does not distinguish from those of a keyboard, and invisible characters,
# which it ignores.
APOSTROPHES = "`\u00b4\u02b9\u02bb\u02bc\u05f3\u2018\u2019\u201b\u2032\ua78b\ua78c\uff07"
QUOTES = "\u05f4\u201c\u201d\u201e\u201f\u2033\uff02"
HYPHENS = "\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
BLANKS = "\u2800\u3164\uffa0\U00016fe4\U0001d159"
INVISIBLE = "".join(
    chr(code)
    for first, last in (
        *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
        *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F)),
        *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFF8)),
    )
    for code in range(first, last + 1)
)
ALIKE = APOSTROPHES + QUOTES + HYPHENS + BLANKS
KEYBOARD = "''" * len(APOSTROPHES) + '"' * len(QUOTES) + "-" * len(HYPHENS) + " " * len(BLANKS)
SEARCH_KEY = """
create or replace function search_key(text) returns text immutable parallel safe strict
return translate(lower(unaccent('unaccent'::regdictionary, normalize({}, nfkd))), 'ς', '\u03c3')
"""
# Give a school, its candidates and its allowances another name and key. It is one statement, so
# that nobody sees a school without its candidates.
NAME_SCHOOL = """
with named as (update school set name = :name, key = :key where id = :id),
allowed as (update allowance set school = :name, school_key = :key where school_key = :old)
update "user" set
    school = case school_key when :old then :name else school end,
    school_key = case school_key when :old then :key else school_key end,
    approved_school = case approved_school_key when :old then :name else approved_school end,
    approved_school_key = case approved_school_key when :old then :key else approved_school_key end
where school is not null and coalesce(approved_school_key, school_key) = :old
    or school_key = :old and approved_school_key is not null
"""
# The school that has a key as the key of its name or of another name. The given key is a new one, so
# a school that still has a former key is not found.
OWNER = """
select id from school where key = :key union all
select school_id from school_alias where key = :key limit 1
"""


def upgrade() -> None:
    # Each of these statements can be repeated, if a later one fails.
    with op.get_context().autocommit_block():
        op.execute(SEARCH_KEY.format(f"translate($1, '{ALIKE}{INVISIBLE}', '{KEYBOARD}')"))
        _search_again()
        _name_schools()
        _name_aliases()
        _key_codes()
        _key_numbers()
        _key_others()


def downgrade() -> None:
    op.execute(SEARCH_KEY.format("$1"))


def _search_again() -> None:
    """Compute again what contains the former result of `search_key`. A change of a computed column
    also renews the row in all indexes."""
    for table, column, searched in (
        ("user", "first_name", "search_text"),
        ("school", "name", "searched"),
        ("school_alias", "name", "searched"),
    ):
        computed = _run(
            """
            select pg_get_expr(adbin, adrelid) from pg_attrdef
            join pg_attribute on attrelid = adrelid and attnum = adnum
            where adrelid = cast(:name as regclass) and attname = :column
            """,
            name=f'"{table}"',
            column=searched,
        ).scalar_one()
        stale = _run(f'select id from "{table}" where {searched} <> {computed} order by id')
        ids = stale.scalars().all()
        for at in range(0, len(ids), BATCH):
            _run(
                f'update "{table}" set {column} = {column} where id = any(:ids)',
                ids=[*ids[at : at + BATCH]],
            )
    op.execute("reindex index ix_question_text")


def _name_schools() -> None:
    """Give schools their keys. If another school has the key, the name gets a number."""
    for school in _stale("id, name, key", "school", "name", order="is_listed desc, id"):
        _run(
            "delete from school_alias where school_id = :id and key = :key",
            id=school.id,
            key=name_key(school.name),
        )
        name, number = school.name, 1
        while _run(OWNER, key=name_key(name)).first() is not None:
            number += 1
            ending = f" ({number})"
            name = school.name[: LONGEST_NAME - len(ending)] + ending
        _run(NAME_SCHOOL, id=school.id, old=school.key, name=name, key=name_key(name))
        if number > 1:
            print(
                f"The school {school.name!r} ({school.id}) is {name!r} now, because its former name"
                " is that of another school. Please merge the two schools if they are one."
            )


def _name_aliases() -> None:
    for alias in _stale("id, school_id, name, key", "school_alias", "name"):
        key = name_key(alias.name)
        owner = _run(OWNER, key=key).scalar()
        if owner == alias.school_id:
            _run("delete from school_alias where id = :id", id=alias.id)
        elif owner is None:
            _run("update school_alias set key = :key where id = :id", key=key, id=alias.id)
        else:
            _print_kept(f"other name {alias.name!r} of school {alias.school_id}", "school")


def _key_codes() -> None:
    for school in _stale("id, code, code_key", "school", "code"):
        key = name_key(school.code)
        is_taken = _run("select from school where code_key = :key", key=key).first() is not None
        if not is_taken and _run(OWNER, key=key).scalar() in (None, school.id):
            _run("update school set code_key = :key where id = :id", key=key, id=school.id)
        else:
            _print_kept(f"code {school.code!r} of school {school.id}", "school")


def _key_numbers() -> None:
    """Give the numbers of candidates their keys, each unique in the candidate's school."""
    for row in _stale("id, external_id, external_id_key", "user", "external_id"):
        changed = _run(
            """
            update "user" set external_id_key = :key where id = :id and not exists (
                select from "user" as other where other.external_id_key = :key
                and other.external_id is not null
                and coalesce(other.approved_school_key, other.school_key)
                    = coalesce("user".approved_school_key, "user".school_key))
            """,
            key=name_key(row.external_id),
            id=row.id,
        )
        if not changed.rowcount:
            _print_kept(f"number {row.external_id!r} of candidate {row.id}", "candidate")


def _key_others() -> None:
    """Give a key to names that no school has: those of allowances and of erased accounts."""
    for table, column in (
        ("allowance", "school"),
        ("user", "school"),
        ("user", "approved_school"),
    ):
        is_free = "true" if table == "allowance" else "external_id is null"
        columns = f"distinct {column}, {column}_key"
        for name, key in _stale(columns, table, column, is_free, order=column):
            _run(
                f'update "{table}" set {column}_key = :key where {column} = :name'
                f" and {column}_key = :former and {is_free}",
                key=name_key(name),
                name=name,
                former=key,
            )


def _stale(
    columns: str, table: str, name: str, condition: str = "true", order: str = "id"
) -> list[Any]:
    """The rows whose key is not that of their name. The last two of the columns are the name and
    the key. A name in ASCII without backticks has had the same key always."""
    found = _run(
        f'select {columns} from "{table}" where {name} ~ :others and {condition} order by {order}',
        others="[^ -_a-~]",
    )
    return [row for row in found.all() if name_key(row[-2]) != row[-1]]


def _print_kept(subject: str, other: str) -> None:
    print(
        f"The {subject} can no longer be found, because another {other} has the same. Please change"
        " one of the two."
    )


def _run(statement: str, **values: Any) -> sa.CursorResult[Any]:
    return op.get_bind().execute(sa.text(statement), values)
