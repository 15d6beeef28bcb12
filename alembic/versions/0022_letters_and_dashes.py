"""Compare names regardless of Turkish letters i and of dashes, and search regardless of ς."""

from typing import Any

import sqlalchemy as sa

from alembic import op
from competition.core.texts import name_key

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

# How many accounts are changed in one transaction.
BATCH = 1000
LONGEST_NAME = 200
# What a key (`name_key`) contained before, and no longer does.
FORMER = "[\u0131\u2012-\u2015\u2212]|i\u0307"
SEARCH_KEY = """
create or replace function search_key(text) returns text immutable parallel safe strict
return {}
"""
LOWER = "lower(unaccent('unaccent'::regdictionary, normalize($1, nfkd)))"
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
OTHER_NAMES = """
update school set other_names = found.names
from (
    select school.id, coalesce(string_agg(school_alias.searched, E'\\n'), '') as names
    from school left join school_alias on school_alias.school_id = school.id
    where other_names <> '' group by school.id
) as found
where school.id = found.id and other_names <> found.names
"""


def upgrade() -> None:
    # Each of these statements can be repeated, if a later one fails.
    with op.get_context().autocommit_block():
        op.execute(SEARCH_KEY.format(f"translate({LOWER}, 'ς', '\u03c3')"))
        _search_again()
        _name_schools()
        _name_aliases()
        op.execute(OTHER_NAMES)
        _key_codes()
        _key_numbers()
        _key_others()
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


def _name_schools() -> None:
    """Give schools their keys. If another school has the key, the name gets a number."""
    found = _run(
        "select id, name, key from school where key ~ :former order by is_listed desc, id",
        former=FORMER,
    ).all()
    for school in found:
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
    for alias in _run(
        "select id, name, school_id from school_alias where key ~ :former order by id",
        former=FORMER,
    ).all():
        key = name_key(alias.name)
        owner = _run(OWNER, key=key).scalar()
        if owner == alias.school_id:
            _run("delete from school_alias where id = :id", id=alias.id)
        elif owner is None:
            _run("update school_alias set key = :key where id = :id", key=key, id=alias.id)
        else:
            _print_kept(f"other name {alias.name!r} of school {alias.school_id}", "school")


def _key_codes() -> None:
    for school in _run(
        "select id, code from school where code_key ~ :former order by id", former=FORMER
    ).all():
        key = name_key(school.code)
        is_taken = _run("select from school where code_key = :key", key=key).first() is not None
        if not is_taken and _run(OWNER, key=key).scalar() in (None, school.id):
            _run("update school set code_key = :key where id = :id", key=key, id=school.id)
        else:
            _print_kept(f"code {school.code!r} of school {school.id}", "school")


def _key_numbers() -> None:
    """Give the numbers of candidates their keys, each unique in the candidate's school."""
    for row in _run(
        'select id, external_id from "user" where external_id_key ~ :former order by id',
        former=FORMER,
    ).all():
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
        names = _run(
            f'select distinct {column} from "{table}" where {column}_key ~ :former and {is_free}',
            former=FORMER,
        ).scalars()
        for name in names.all():
            _run(
                f'update "{table}" set {column}_key = :key where {column} = :name'
                f" and {column}_key ~ :former and {is_free}",
                key=name_key(name),
                name=name,
                former=FORMER,
            )


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


def _print_kept(subject: str, other: str) -> None:
    print(
        f"The {subject} can no longer be found, because another {other} has the same. Please change"
        " one of the two."
    )


def _run(statement: str, **values: Any) -> sa.CursorResult[Any]:
    return op.get_bind().execute(sa.text(statement), values)
