"""The migrations create the tables that the models describe, and can be downgraded."""

from contextlib import contextmanager
from pathlib import Path

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
from competition.core.histories.history import MigrationError, current, ours
from competition.core.histories.migrations import stamp, upgrade

# They migrate an empty database each, which takes long.
pytestmark = pytest.mark.long


# The last migration of the release before. When a release is published, its last migration.
RELEASED = "0003"
# The columns, as (table, column), that this release removes, because the one before no longer reads
# them.
CONTRACTED: set[tuple[str, str]] = set()
# The columns that have another type than in the release before, which can read and write both.
RETYPED: set[tuple[str, str]] = set()
# The columns that the release before does not insert, or may insert as null, and that it has to.
REQUIRED: set[tuple[str, str]] = set()


@contextmanager
def empty(databases):
    """Context manager: a connection to an empty database."""
    url = databases.create()
    engine = create_engine(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()
    databases.drop(url)


@pytest.fixture
def connection(databases):
    with empty(databases) as connection:
        yield connection


@pytest.fixture
def other(databases):
    """A connection to a second empty database."""
    with empty(databases) as connection:
        yield connection


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


def test_check_constraints_equal_those_of_the_models(connection, other, models):
    """Compare with a database that was created from the models."""
    upgrade(connection)
    for extension in ("pg_trgm", "unaccent"):
        other.execute(text(f"create extension if not exists {extension}"))
    # Indexes and columns use these functions, which no model describes.
    functions = "select pg_get_functiondef(oid) from pg_proc where proname like 'search_%' order by"
    for function in connection.scalars(text(f"{functions} oid")).all():
        other.exec_driver_sql(function, execution_options={"no_parameters": True})
    Base.metadata.create_all(other, models)
    assert definitions(connection) == definitions(other)


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


def columns(connection):
    """The type of each column, and whether an INSERT may leave it out, by table and name."""
    found = connection.execute(
        text(
            "select table_name, column_name, udt_name, is_nullable = 'YES' or"
            " column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS'"
            " from information_schema.columns where table_schema = 'public'"
        )
    )
    return {(table, name): (kind, is_optional) for table, name, kind, is_optional in found}


def functions(connection):
    statement = (
        "select oid::regprocedure::text, prorettype::regtype::text from pg_proc"
        " where pronamespace = 'public'::regnamespace"
    )
    return {*map(tuple, connection.execute(text(statement)))}


def test_processes_of_the_release_before_can_use_the_new_tables(connection):
    """They still run after an upgrade. CONTRIBUTING says how a migration removes something.

    A statement that the release before has sent can only fail because of what it names: a column,
    of another type now, or a function. And an INSERT fails if it lacks a new column that has no
    default. So this test needs neither the code nor the statements of that release.
    """
    command.upgrade(ours().config(connection), RELEASED)
    columns_before, functions_before = columns(connection), functions(connection)
    connection.rollback()
    upgrade(connection)
    columns_now = columns(connection)
    assert columns_before.keys() - columns_now.keys() == CONTRACTED
    stay = columns_before.keys() & columns_now.keys()
    assert {each for each in stay if columns_before[each][0] != columns_now[each][0]} == RETYPED
    assert functions_before - functions(connection) == set()
    tables_before = {table for table, _ in columns_before}
    required = {each for each, (_, is_optional) in columns_now.items() if not is_optional}
    were_required = {each for each, (_, is_optional) in columns_before.items() if not is_optional}
    of_old_tables = {each for each in required if each[0] in tables_before}
    assert of_old_tables - were_required == REQUIRED


def test_upgrading_again_changes_nothing(connection):
    upgrade(connection)
    upgrade(connection)
    check(ours().config(connection))


# --- Databases from before the first release

# The questions of a paper as they were stored then: without fields that are null.
PAPER = """
insert into exam (title, stage, round, description, countdown_minutes, open_duration_hours,
        is_active, created_at, updated_at)
    values ('Algebra', 'league', 1, '', 60, 2, true, now(), now());
insert into paper (exam_id, question_ids, questions, answer_key, frozen_at)
    select id, '{9, 8}', '[{"id": 9}, {"id": 8, "rendered": {"text": "x"}}]', 'AB', now() from exam;
"""


@pytest.fixture
def at_0045(connection):
    """A connection to a database that the 45 migrations before the first release have created."""
    created = Path(__file__).with_name("database_0045.sql").read_text() + PAPER
    # Without parameters, psycopg runs several statements.
    options = {"no_parameters": True}
    connection.exec_driver_sql(created, execution_options=options)
    connection.commit()
    return connection


def test_0001_creates_the_tables_of_0045(at_0045, other):
    command.upgrade(ours().config(other), "0001")
    assert definitions(at_0045) == definitions(other)
    assert storage(at_0045) == storage(other)


def test_a_stamped_database_equals_a_new_one_after_the_upgrade(at_0045, other):
    stamp(at_0045)
    assert current(at_0045, "alembic_version") == ("0001",)
    upgrade(at_0045)
    check(ours().config(at_0045))
    questions = at_0045.scalar(text("select questions from paper"))
    assert questions == [
        {"id": 9, "rendered": None, "spoken": None},
        {"id": 8, "rendered": {"text": "x"}, "spoken": None},
    ]
    upgrade(other)
    assert definitions(at_0045) == definitions(other)
    assert storage(at_0045) == storage(other)


def storage(connection):
    """What `definitions` leaves out: the columns of each table in their order, the storage options
    of all relations, triggers, functions and extensions."""
    statements = (
        "select table_name, array_agg(column_name::text order by ordinal_position)"
        " from information_schema.columns where table_schema = 'public' group by 1",
        "select relname, concat_ws(' ', relkind, reloptions) from pg_class"
        " where relnamespace = 'public'::regnamespace",
        "select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
        "select oid::regprocedure::text, prosrc from pg_proc"
        " where pronamespace = 'public'::regnamespace",
        "select extname, extversion from pg_extension",
    )
    return [dict(map(tuple, connection.execute(text(each)))) for each in statements]


def test_an_upgrade_of_a_database_at_0045_changes_nothing_and_says_what_to_do(at_0045):
    before = definitions(at_0045), storage(at_0045)
    with pytest.raises(MigrationError, match=r"at 0045.*`competition db stamp` once"):
        upgrade(at_0045)
    assert current(at_0045, "alembic_version") == ("0045",)
    assert (definitions(at_0045), storage(at_0045)) == before


@pytest.mark.parametrize("revision", ["0044", "0001", None])
def test_a_database_that_is_not_at_0045_is_not_stamped(at_0045, revision):
    change = f"update alembic_version set version_num = '{revision}'"
    at_0045.execute(text(change if revision else "drop table alembic_version"))
    at_0045.commit()
    found = f"is at {revision}" if revision else "has no tables of the service"
    with pytest.raises(MigrationError, match=f"at 0045 can be stamped. This one {found}"):
        stamp(at_0045)
    assert current(at_0045, "alembic_version") == ((revision,) if revision else ())


# --- 0004: forms of texts

OLD_TEXTS = """
insert into "user" (id, kind, email, password_hash, password_is_generated, first_name, last_name,
    phone, role, is_active, is_email_verified, is_invited, verification, permissions, date_joined,
    updated_at, number, school, approved_school)
select gen_random_uuid(), 'candidate', emails[n], 'x', false, E'Ngu\\u0303gi\\u0303',
    E'a\\u202E  b', '', 'league', true, true, false, 'approved', '{}', now(), now(), n, schools[n],
    case n when 1 then 'Other  School' end
from (select
    array['x@bücher.example', 'x@xn--bcher-kva.example', 'y@bücher.example'] as emails,
    array[E'Lyce\\u0301e  d\u2019Ormesson', 'LYCÉE D''ORMESSON', E'\\u3164'] as schools) as given,
    generate_series(1, 3) as n;
insert into exam (title, stage, round, description, countdown_minutes, open_duration_hours,
        is_active, ranking, created_at, updated_at)
    values (E'Alge\\u0301bra', 'league', 1, '', 60, 2, true, 'standard', now(), now());
insert into allowance (exam_id, school, extra_minutes, reason, affected, created_at)
    select id, 'Lycée d''ormesson', 5, 'x', 0, now() from exam;
"""


def test_0004_brings_stored_texts_to_their_form_and_lists_collisions(connection, capsys):
    command.upgrade(ours().config(connection), "0003")
    connection.exec_driver_sql(OLD_TEXTS, execution_options={"no_parameters": True})
    connection.commit()
    command.upgrade(ours().config(connection), "0004")
    listed = capsys.readouterr().out
    columns = "email, first_name, last_name, school, school_key, approved_school_key, search_text"
    found = connection.execute(text(f'select {columns} from "user" order by number')).all()
    key = "lycée d'ormesson"
    assert [row[:6] for row in found] == [
        ("x@bücher.example", "Ngũgĩ", "a b", "Lycée d\u2019Ormesson", key, "other school"),
        ("x@xn--bcher-kva.example", "Ngũgĩ", "a b", "LYCÉE D'ORMESSON", key, None),
        # A text that shows nothing stays: the column is required.
        ("y@xn--bcher-kva.example", "Ngũgĩ", "a b", "\u3164", "", None),
    ]
    assert found[0].search_text == "ngugi a b x@bucher.example lycee d'ormesson"
    assert connection.scalar(text("select school_key from allowance")) == key
    assert connection.scalar(text("select title from exam")) == "Algébra"
    assert listed.count("stays as it is") == 1 and "'x@bücher.example'" in listed


# --- 0022 and 0028: Turkish letters, dashes, quotation marks, blanks and the Greek sigma

FORMER_KEYS = """
insert into "user" (id, kind, email, password_hash, password_is_generated, first_name, last_name,
    phone, role, is_active, is_email_verified, is_invited, verification, permissions, date_joined,
    updated_at, number, school, school_key, external_id, external_id_key)
select gen_random_uuid(), 'candidate', emails[n], 'x', false, names[n], 'Σοφός', '', 'league', true,
    n = 4, false, 'approved', '{}', now(), now(), n, schools[n], keys[n], ids[n], lower(ids[n])
from (select
    array[E'i\\u0307lker@x.example', 'can@x.example', E'ci\\u0307n@x.example',
        E'i\\u0307pek@x.example', 'cin@x.example', '6@x.example', '7@x.example', '8@x.example']
        as emails,
    array['Νίκος', 'ΝΙΚΟΣ', 'Can', 'Can', 'Can', 'Can', E'O\\u00b4Ne\\u200cil', 'Can'] as names,
    array['FATİH LİSESİ', 'Fatih Lisesi', E'A \\u2013 B', E'Iş\\u0131k', E'Iş\\u0131k',
        E'D\\u00b4Arsonval', 'D''Arsonval', E'\\u201cȘcoala\\u201d\\u31641'] as schools,
    array[E'fati\\u0307h li\\u0307sesi\\u0307', 'fatih lisesi', E'a \\u2013 b', E'iş\\u0131k',
        E'iş\\u0131k', E'd\\u00b4arsonval', 'd''arsonval', E'\\u201cșcoala\\u201d1'] as keys,
    array['7', '7', E'7\\u2013a', E'7\\u2013a', '7-a', E'`1', E'6', E'8'] as ids) as given,
    generate_series(1, 8) as n;
insert into school_alias (school_id, name, key)
    select id, 'Άλλος', 'άλλοσ' from school where key = E'iş\\u0131k';
insert into school_alias (school_id, name, key)
    select id, 'IŞIK', 'işik' from school where key = E'iş\\u0131k';
update school set other_names = 'αλλος
isik' where key = E'iş\\u0131k';
insert into exam (title, stage, round, description, countdown_minutes, open_duration_hours,
        is_active, ranking, created_at, updated_at)
    values ('Algebra', 'league', 1, '', 60, 2, true, 'standard', now(), now());
insert into allowance (exam_id, school, school_key, extra_minutes, reason, affected, created_at)
    select exam.id, school, school_key, 5, 'x', 0, now() from exam, "user"
    where number in (1, 3, 8);
"""


def test_0028_gives_names_their_keys_and_lists_collisions(connection, capsys):
    command.upgrade(ours().config(connection), "0021")
    connection.exec_driver_sql(FORMER_KEYS, execution_options={"no_parameters": True})
    connection.commit()
    command.upgrade(ours().config(connection), "0028")
    listed = capsys.readouterr().out
    columns = "email, school, school_key, external_id_key"
    found = connection.execute(text(f'select {columns} from "user" order by number')).all()
    assert found == [
        ("ilker@x.example", "FATİH LİSESİ (2)", "fatih lisesi (2)", "7"),
        ("can@x.example", "Fatih Lisesi", "fatih lisesi", "7"),
        # Another account has this address without the dots, and the next address is verified.
        ("ci\u0307n@x.example", "A \u2013 B", "a - b", "7-a"),
        ("i\u0307pek@x.example", "Iş\u0131k", "işik", "7\u2013a"),
        ("cin@x.example", "Iş\u0131k", "işik", "7-a"),
        ("6@x.example", "D\u00b4Arsonval (2)", "d'arsonval (2)", "'1"),
        ("7@x.example", "D'Arsonval", "d'arsonval", "6"),
        ("8@x.example", "\u201cȘcoala\u201d\u31641", '"\u015fcoala" 1', "8"),
    ]
    schools = connection.execute(text("select name, key from school order by key"))
    assert {*schools.all()} == {
        ("\u201cȘcoala\u201d\u31641", '"\u015fcoala" 1'),
        ("D'Arsonval", "d'arsonval"),
        ("D\u00b4Arsonval (2)", "d'arsonval (2)"),
        ("A \u2013 B", "a - b"),
        ("Fatih Lisesi", "fatih lisesi"),
        ("FATİH LİSESİ (2)", "fatih lisesi (2)"),
        ("Iş\u0131k", "işik"),
    }
    allowances = connection.scalars(text("select school_key from allowance order by 1")).all()
    assert {*allowances} == {'"\u015fcoala" 1', "a - b", "fatih lisesi (2)"}
    left = (
        "FATİH LİSESİ",
        "D\u00b4Arsonval",
        "7\u2013a",
        "ci\u0307n@x.example",
        "i\u0307pek@x.example",
    )
    lines = listed.splitlines()
    assert len(lines) == 5 and all(repr(each) in listed for each in left)
    # PostgreSQL does not scan the table, so the index has the new keys.
    connection.execute(text("set enable_seqscan = off"))
    named = text(
        "select count(*) from \"user\" where search_key(first_name) = search_key('νικος')"
        " and search_key(last_name) = search_key('ΣΟΦΟΣ') and school is not null"
    )
    assert connection.scalar(named) == 2
    searched = text('select count(*) from "user" where search_text like search_pattern(:search)')
    assert connection.scalar(searched, {"search": "ΝΙΚΟΣ"}) == 2
    assert connection.scalar(searched, {"search": "O'Neil"}) == 1
    assert connection.scalar(searched, {"search": '"scoala" 1'}) == 1


# --- 0026: groups and own pupils of past seasons

# Candidate 1 is still a pupil of the school of the season, 2 was removed, and 3 has changed school.
PAST_PUPILS = """
insert into "user" (id, kind, email, password_hash, password_is_generated, first_name, last_name,
    phone, role, is_active, is_email_verified, is_invited, verification, permissions, date_joined,
    updated_at, number, school, school_key, "group")
select gen_random_uuid(), 'candidate', n || '@x.example', 'x', false, 'Emmy', 'Noether', '',
    'league', true, false, false, 'approved', '{}', now(), now(), n, schools[n], lower(schools[n]),
    n || 'B'
from (select array['West', 'West', 'East'] as schools) as given, generate_series(1, 3) as n;
insert into past_season (candidate_id, season_id, stage, school, year)
    select "user".id, season.id, 'league', 'West', 7 from "user", season;
insert into pupil (user_id, school_id, tie, is_entered, changed_at)
    select "user".id, school.id, case number when 2 then 'removed' else 'ours' end, true, now()
    from "user" join school on school.key = "user".school_key;
"""


def test_0026_records_the_present_groups_and_own_pupils_of_past_seasons(connection):
    command.upgrade(ours().config(connection), "0024")
    connection.exec_driver_sql(PAST_PUPILS, execution_options={"no_parameters": True})
    connection.commit()
    command.upgrade(ours().config(connection), "0026")
    found = connection.execute(
        text(
            'select past_season."group", school.name from past_season'
            ' join "user" on "user".id = candidate_id left join school on school.id = pupil_of'
            " order by number"
        )
    )
    assert found.all() == [("1B", "West"), ("2B", None), ("3B", None)]
