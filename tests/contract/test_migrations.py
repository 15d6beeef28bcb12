"""The migrations create the tables that the models describe, and can be downgraded."""

import pytest
from alembic.command import check, downgrade
from sqlalchemy import (
    Index,
    PrimaryKeyConstraint,
    UniqueConstraint,
    create_engine,
    inspect,
    text,
)

from alembic import command
from competition.core.database import Base
from competition.core.histories.history import ours
from competition.core.histories.migrations import upgrade

# They migrate an empty database each, which takes long.
pytestmark = pytest.mark.long


@pytest.fixture
def connection(databases):
    """A connection to an empty database."""
    url = databases.create()
    engine = create_engine(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()
    databases.drop(url)


def tables(connection):
    return {*inspect(connection).get_table_names()} - {"alembic_version"}


@pytest.fixture
def models():
    """The declared tables of the built-in plugins, without those of installed third-party
    packages.
    """
    names = ours().tables
    return [table for table in Base.metadata.tables.values() if table.name in names]


def test_models_and_migrations_agree(connection):
    upgrade(connection)
    check(ours().config(connection))


def test_every_table_of_a_model_exists(connection, models):
    upgrade(connection)
    assert tables(connection) == {table.name for table in models}


def test_constraint_names_equal_those_of_the_models(connection, models):
    """Errors are recognised by constraint names, and Alembic doesn't compare check constraints."""
    upgrade(connection)
    found = set(
        connection.scalars(
            text(
                "select conname from pg_constraint where contype in ('c', 'f', 'u', 'p')"
                " and connamespace = 'public'::regnamespace and conname not like 'alembic%'"
            )
        )
    )
    declared = {
        str(constraint.name)
        for table in models
        for constraint in table.constraints
        if constraint.name
    }
    assert found == declared


def test_check_constraints_equal_those_of_the_models(connection, databases, models):
    """Compare with a database that was created from the models."""
    upgrade(connection)
    url = databases.create()
    engine = create_engine(url)
    with engine.connect() as other:
        other.execute(text("create extension if not exists pg_trgm"))
        Base.metadata.create_all(other, models)
        assert definitions(connection) == definitions(other)
    engine.dispose()
    databases.drop(url)


# Tables with one row per exam, per question or per allowance. They are small, so a scan is fast.
SMALL = {"exam", "question", "allowance", "candidate_allowance"}


def test_deleting_an_account_scans_no_large_table(models):
    to_users = {
        (table.name, key.column_keys[0])
        for table in models
        for key in table.foreign_key_constraints
        if key.referred_table.name in ("user", "staff", "candidate") and table.name not in SMALL
    }
    indexed = {
        (table.name, column.name)
        for table in models
        for index in (*table.indexes, table.primary_key, *table.constraints)
        if isinstance(index, Index | UniqueConstraint | PrimaryKeyConstraint)
        for column in [*index.columns][:1]
    }
    assert to_users - indexed == set()


def definitions(connection):
    """Constraints, indexes and columns, as PostgreSQL describes them."""
    statements = (
        "select conname, pg_get_constraintdef(oid) from pg_constraint"
        " where connamespace = 'public'::regnamespace and conname not like 'alembic%'",
        "select indexname, indexdef from pg_indexes"
        " where schemaname = 'public' and indexname not like 'alembic%'",
        "select table_name || '.' || column_name,"
        " concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default,"
        " is_identity, identity_generation, generation_expression)"
        " from information_schema.columns"
        " where table_schema = 'public' and table_name not like 'alembic%'",
    )
    return [dict(map(tuple, connection.execute(text(each)))) for each in statements]


def test_all_migrations_can_be_downgraded_and_upgraded_again(connection):
    upgrade(connection)
    made = tables(connection)
    downgrade(ours().config(connection), "base")
    assert tables(connection) == set()
    left = connection.scalars(text("select relname from pg_class where relkind = 'S'")).all()
    assert left == []
    upgrade(connection)
    assert tables(connection) == made


def test_upgrading_again_changes_nothing(connection):
    upgrade(connection)
    upgrade(connection)
    check(ours().config(connection))


def test_files_from_before_the_file_table_get_a_row(connection):
    """Otherwise housekeeping would delete them as orphans."""
    command.upgrade(ours().config(connection), "0004-1")
    one, other = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    for user, papers in (
        (one, ("v/a.jpg", "v/b.png", "v/c.pdf", "p/d.webp")),
        (other, (None, None, None, "p/e.png")),
    ):
        connection.execute(
            text(
                'insert into "user" (id, kind, email, password_hash, password_is_generated,'
                " first_name, last_name, phone, role, is_active, is_email_verified, is_invited,"
                " permissions, verification, date_joined, updated_at, occupation,"
                " face_id, id_card, verification_document, profile_picture)"
                " values (:id, 'staff', :email, '', false, '', '', '', 'admin', true, true, true,"
                " '{}', 'pending', '2026-01-01Z', '2026-01-02Z', '',"
                " :face, :card, :letter, :picture)"
            ),
            {
                "id": user,
                "email": user,
                **dict(zip(("face", "card", "letter", "picture"), papers, strict=True)),
            },
        )
    connection.commit()
    upgrade(connection)
    rows = connection.execute(
        text("select key, plugin, subject, content_type, size from file order by key")
    ).all()
    assert [tuple(row) for row in rows] == [
        ("p/d.webp", "people", f"user {one}", "image/webp", None),
        ("p/e.png", "people", f"user {other}", "image/png", None),
        ("v/a.jpg", "verification", f"user {one}", "image/jpeg", None),
        ("v/b.png", "verification", f"user {one}", "image/png", None),
        ("v/c.pdf", "verification", f"user {one}", "application/pdf", None),
    ]
    # The downgrade keeps the keys of all files.
    downgrade(ours().config(connection), "0004-1")
    kept = connection.scalars(text('select profile_picture from "user" order by 1')).all()
    assert kept == ["p/d.webp", "p/e.png"]


def test_entries_of_a_chain_without_a_key_are_added_to_a_chain_with_one(connection):
    """The hashes of the old entries were made without a key, so the migration deletes these hashes.
    Later, the entries are added to a chain with a key.
    """
    command.upgrade(ours().config(connection), "0030")
    connection.execute(
        text(
            "insert into audit (action, subject, request_id, created_at, seal, digest, hash)"
            " values ('account.change', '', '', '2026-01-01Z', 1, 'd', 'h'),"
            " ('candidate.role', '', '', '2026-01-01Z', 2, 'd', 'h')"
        )
    )
    connection.commit()
    upgrade(connection)
    rows = "select action, is_erasable, seal, salt, digest, hash, key_id from audit order by id"
    assert [tuple(row) for row in connection.execute(text(rows))] == [
        ("account.change", True, None, None, None, None, None),
        ("candidate.role", False, None, None, None, None, None),
    ]
