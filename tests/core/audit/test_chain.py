"""The audit trail detects changes (docs/decisions/0023-audit-chain.md). The attacker in these tests
may write to the table, as its owner can."""

import logging
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, insert, literal_column, select, text, update

from competition.core import audit
from competition.core.audit import AuditEntry, AuditKey, chain
from competition.core.audit.chain import BrokenChain, verify
from competition.core.auth.keyring import Keyring, SigningSettings
from competition.core.jobs.tasks import Task
from competition.core.users import accounts, personal_data
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.races import together

COLUMNS = AuditEntry.__table__.columns


@pytest.fixture
def work(app):
    """Five entries, sealed in the order of their ids."""
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
        for index in range(5):
            work.address = "203.0.113.5"
            changed = {"old": {"n": 1.0, "text": "é"}, "new": None} if index % 2 else {"new": [7]}
            audit.record(work, f"test.{index}", target=uuid4(), subject=f"exam {index}", **changed)
            work.db.flush()
        chain.seal(work)
        yield work


def entries(work):
    return work.db.scalars(
        select(AuditEntry).order_by(AuditEntry.seal).execution_options(populate_existing=True)
    ).all()


def refusal(work, statement, *arguments, head=None):
    """The error that `verify` reports after a statement. The statement is then rolled back."""
    savepoint = work.db.begin_nested()
    work.db.execute(statement, *arguments, execution_options={"synchronize_session": False})
    try:
        verify(work, head)
    except BrokenChain as broken:
        return str(broken)
    finally:
        savepoint.rollback()
        work.db.expire_all()


def another(value):
    """A value that differs as little as possible from the given one."""
    match value:
        case None:
            return "x"
        case str():
            return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"
        case bytes():
            return value[:-1] + bytes([value[-1] ^ 1])
        case UUID():
            return UUID(int=value.int ^ 1)
        case datetime():
            return value + timedelta(microseconds=1)
        case bool():
            return not value
        case int():
            return value + 1000
        case dict():
            return {**value, "n": 1.5}
    return [8]


def test_an_unchanged_chain_passes_and_every_hash_differs(work):
    assert verify(work) == 5
    assert [entry.seal for entry in entries(work)] == [1, 2, 3, 4, 5]
    assert len({entry.hash for entry in entries(work)}) == 5
    assert verify(work, head=chain.head(work)) == 5


def test_any_change_of_any_column_of_any_entry_is_found(work):
    for entry in entries(work):
        for column in COLUMNS:
            if column.name == "key_id":
                # The foreign key rejects a change, because there is only one key.
                continue
            value = getattr(entry, column.name)
            to = uuid4() if value is None and column.name == "actor_id" else another(value)
            change = update(AuditEntry).where(AuditEntry.id == entry.id).values({column.name: to})
            said = refusal(work, change)
            assert said and f"Entry {entry.seal} of the chain" in said, column.name
    assert verify(work) == 5


def test_every_digit_of_a_number_counts(work):
    """The changed digit is beyond the precision of a float."""
    entry = entries(work)[1]
    change = update(AuditEntry).where(AuditEntry.id == entry.id)
    exact = literal_column("""'{"n": 1.0000000000000000000001, "text": "é"}'::jsonb""")
    assert "Entry 2" in refusal(work, change.values(old=exact))


def test_a_removed_entry_is_detected_and_a_removed_last_one_by_the_head(work):
    head = chain.head(work)
    first, second, *_, last = entries(work)
    said = refusal(work, delete(AuditEntry).where(AuditEntry.id == first.id))
    assert "Entry 1" in said and "missing" in said
    said = refusal(work, delete(AuditEntry).where(AuditEntry.id == second.id))
    assert "Entry 2" in said and "missing" in said
    removal = delete(AuditEntry).where(AuditEntry.id == last.id)
    assert refusal(work, removal) is None
    assert "the end of the chain was removed" in refusal(work, removal, head=head)


def test_an_inserted_entry_is_named(work):
    _, second, *rest = entries(work)
    copy = {column.name: getattr(second, column.name) for column in COLUMNS} | {"id": 10**9}
    said = refusal(work, insert(AuditEntry), {**copy, "seal": 6})
    assert "Entry 6" in said and "1000000000" in said and "inserted" in said
    # Insert the entry again, now with a correct hash, and renumber the later entries.
    later = [{column.name: getattr(each, column.name) for column in COLUMNS} for each in rest]
    work.db.execute(delete(AuditEntry).where(AuditEntry.seal > 2))
    audit.record(work, "test.forged")
    chain.seal(work)
    work.db.execute(insert(AuditEntry), [{**each, "seal": each["seal"] + 1} for each in later])
    with pytest.raises(BrokenChain, match=r"^Entry 3 of the chain was inserted\.$"):
        verify(work)


def test_an_erasure_empties_the_values_and_the_chain_stays_valid(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
        work.address = "203.0.113.5"
        values = {"target": person.id, "old": {"school": "Hillside"}, "new": {"school": "Hilltop"}}
        audit.record(work, accounts.CHANGE, erasable=True, **values)
        chain.seal(work)
        audit.record(work, accounts.CHANGE, erasable=True, **values)
    with begin(app.runtime) as work:
        assert "deleted although no erasure lists it" in refusal(work, emptied(1))
        personal_data.erase(work, person.id)
        work.db.flush()
        # Two entries are erased. Only one of them was in the chain before the erasure.
        chain.seal(work)
        assert verify(work) == 3
        first, second, erasure = entries(work)
        assert first.old is first.new is first.address is first.salt is None
        assert second.old is second.new is second.address is None
        assert erasure.target_id == person.id
        assert erasure.new == {"emptied": [1]}
        put_back = update(AuditEntry).where(AuditEntry.id == first.id)
        assert "Entry 1 " in refusal(work, put_back.values(new={"school": "Hilltop"}))


def emptied(*seals):
    """A statement that clears the fields that an erasure clears in these entries."""
    values = {"old": None, "new": None, "address": None, "salt": None}
    return update(AuditEntry).where(AuditEntry.seal.in_(seals)).values(values)


@pytest.fixture
def forged(app):
    """A Work, a candidate, and a function that forges entry 3, the erasure of the candidate.
    Entries 1 and 2 of the chain are about the candidate. Only entry 2 can be erased.
    """
    person = app.candidate()

    def forge(*listed):
        audit.record(work, audit.ERASURE, target=person.id, new={"emptied": [*listed]})
        chain.seal(work)

    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
        audit.record(work, "candidate.role", target=person.id, old="league", new="winner")
        audit.record(work, accounts.CHANGE, target=person.id, new="Hilltop", erasable=True)
        chain.seal(work)
        yield work, person, forge


def erase_row(work, person):
    erased = f"{person.id}@erased.invalid"
    work.db.execute(update(User).where(User.id == person.id).values(email=erased))


def test_a_forged_erasure_can_not_hide_entries_that_are_not_erasable(forged):
    work, person, forge = forged
    erase_row(work, person)
    forge(1, 2)
    assert "Entry 1 " in refusal(work, emptied(1))
    assert refusal(work, emptied(2)) is None


def test_a_forged_erasure_of_an_account_that_is_not_erased_is_found(forged):
    work, _, forge = forged
    forge(1, 2)
    assert "Entry 2 " in refusal(work, emptied(2))


def test_an_erasure_empties_only_the_entries_that_it_lists(forged):
    work, person, forge = forged
    erase_row(work, person)
    forge(7)
    assert "Entry 2 " in refusal(work, emptied(2))


def test_an_erasure_empties_no_later_entries(forged):
    work, person, forge = forged
    erase_row(work, person)
    forge(4)
    audit.record(work, accounts.CHANGE, target=person.id, new="Hillside", erasable=True)
    chain.seal(work)
    assert verify(work) == 4
    assert "Entry 4 " in refusal(work, emptied(4))


def test_the_entries_of_an_account_that_was_deleted_after_its_erasure_stay_valid(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
        audit.record(work, accounts.CHANGE, target=person.id, new="Hilltop", erasable=True)
        chain.seal(work)
        personal_data.erase(work, person.id)
        accounts.delete_all(work, User.id == person.id)
        assert verify(work) == 1


def test_a_second_erasure_of_an_account_changes_nothing(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
        audit.record(work, accounts.CHANGE, target=person.id, new="Hilltop", erasable=True)
        chain.seal(work)
        personal_data.erase(work, person.id)
        chain.seal(work)
        personal_data.erase(work, person.id)
        chain.seal(work)
        assert [entry.new for entry in entries(work)] == [None, {"emptied": [1]}, {"emptied": []}]
        assert verify(work) == 3


NOT_SEALED = {"seal": None, "salt": None, "digest": None, "hash": None, "key_id": None}


def test_a_chain_can_not_be_computed_without_the_signing_keys(work, monkeypatch, caplog):
    """The attacker has the program and the database, but other signing keys."""
    ours = work.runtime.keyring
    monkeypatch.setattr(work.runtime, "keyring", Keyring(["x" * 32]))
    with pytest.raises(BrokenChain, match="No signing key decrypts the key of the chain"):
        verify(work)
    first = update(AuditEntry).where(AuditEntry.id == entries(work)[0].id)
    work.db.execute(first.values(action="test.forged"))
    work.db.execute(update(AuditEntry).values(NOT_SEALED))
    chain.seal(work)
    assert entries(work)[0].seal is None
    assert "no entry is added to the chain" in caplog.text
    work.db.execute(delete(AuditKey))
    chain.seal(work)
    assert verify(work) == 5
    monkeypatch.setattr(work.runtime, "keyring", ours)
    with pytest.raises(BrokenChain, match="No signing key decrypts the key of the chain"):
        verify(work)


def test_a_removed_key_is_not_replaced(work, caplog):
    work.db.execute(text("alter table audit drop constraint fk_audit_key_id_audit_key"))
    work.db.execute(delete(AuditKey))
    with pytest.raises(BrokenChain, match="has another key"):
        verify(work)
    audit.record(work, "test.later")
    chain.seal(work)
    assert "The key of the chain was removed" in caplog.text
    assert chain.unsealed(work) == 1


def test_after_a_rotation_of_the_signing_keys_earlier_entries_are_verified(work, monkeypatch):
    (old,) = work.settings[SigningSettings].keys
    new = "another signing key of 32 characters"
    monkeypatch.setattr(work.runtime, "keyring", Keyring([new, old]))
    assert verify(work) == 5
    chain.renew_encryption(work)
    monkeypatch.setattr(work.runtime, "keyring", Keyring([new]))
    audit.record(work, "test.later")
    chain.seal(work)
    assert verify(work) == 6


def test_the_head_is_logged_in_the_security_log_every_minute(app, caplog):
    caplog.set_level(logging.INFO, logger="competition.security")
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
    app.run_task("core.log_audit_head")
    assert "audit_head" not in caplog.text
    with begin(app.runtime) as work:
        audit.record(work, "test.one")
        audit.record(work, "test.two")
    app.run_task("core.seal_audit")
    app.run_task("core.log_audit_head")
    with begin(app.runtime) as work:
        assert f"event=audit_head number=2 head={chain.head(work)}" in caplog.text
    assert app.runtime.catalogue[Task]["core.log_audit_head"].every == timedelta(minutes=1)


def test_a_chain_can_be_rebuilt_with_another_key(live, run, caplog):
    with begin(live.runtime) as work:
        work.db.execute(delete(AuditEntry))
        audit.record(work, "test.one")
        audit.record(work, "test.two")
        work.db.flush()
        chain.seal(work)
        before = chain.head(work)
        garbage = update(AuditKey).values(encrypted="lost")
        work.db.execute(garbage)
    assert "No signing key decrypts" in run("audit", "verify", status=1).output
    run("audit", "reseal", "--yes")
    live.run_task("core.seal_audit")
    with begin(live.runtime) as work:
        assert verify(work) == 3
        assert entries(work)[2].action == "audit.reseal"
        assert entries(work)[2].old == {"number": 2, "head": before}


def test_an_entry_that_is_being_erased_is_added_to_the_chain_later(live):
    person = live.candidate()
    with begin(live.runtime) as work:
        work.db.execute(delete(AuditEntry))
        audit.record(work, accounts.CHANGE, target=person.id, new="Hilltop", erasable=True)
        audit.record(work, "test.act")
    with begin(live.runtime) as erasing:
        personal_data.erase(erasing, person.id)
        erasing.db.flush()
        live.run_task("core.seal_audit")
    with begin(live.runtime) as work:
        assert verify(work) == 1
    live.run_task("core.seal_audit")
    with begin(live.runtime) as work:
        assert verify(work) == 3


def test_many_entries_are_added_to_the_chain_in_parts(app, monkeypatch):
    monkeypatch.setattr(chain, "MOST_SEALED_AT_ONCE", 3)
    monkeypatch.setattr(chain, "BATCH", 2)
    with begin(app.runtime) as work:
        work.db.execute(delete(AuditEntry))
        for index in range(8):
            audit.record(work, f"test.{index}")
    app.run_task("core.seal_audit")
    app.run_jobs()
    with begin(app.runtime) as work:
        assert verify(work) == 8


def test_only_one_process_adds_to_the_chain(live):
    with begin(live.runtime) as other, begin(live.runtime) as work:
        chain.seal(other)
        audit.record(work, "test.act")
        chain.seal(work)
    with begin(live.runtime) as work:
        of_act = select(AuditEntry.seal).where(AuditEntry.action == "test.act")
        assert work.db.scalars(of_act).one() is None


def test_entries_written_during_the_chaining_are_chained_once(live):
    with begin(live.runtime) as work:
        work.db.execute(delete(AuditEntry))
    staff = [live.staff("admin") for _ in range(20)]
    candidates = [live.candidate() for _ in staff]

    def act(index):
        role = f"/candidates/{candidates[index].id}/roles/assign/"
        for to in ("league", "final"):
            staff[index].put(role, {"role": to}, status=200)
            live.run_task("core.seal_audit")

    together(len(staff), act)
    live.run_task("core.seal_audit")
    with begin(live.runtime) as work:
        assert verify(work, chain.head(work)) == 40


def test_the_command_verifies_the_chain_and_prints_its_head(live, run):
    with begin(live.runtime) as work:
        work.db.execute(delete(AuditEntry))
        with pytest.raises(BrokenChain, match="No entry is in the chain yet"):
            chain.head(work)
        audit.record(work, "test.one")
        audit.record(work, "test.two")
        work.db.flush()
        chain.seal(work)
        audit.record(work, "test.three")
    head = run("audit", "head").output.strip()
    verified = run("audit", "verify", "--head", head)
    assert verified.output == "Verified entries: 2; not in the hash chain yet: 1\n"
    with begin(live.runtime) as work:
        first = entries(work)[0].id
        own = update(AuditEntry).where(AuditEntry.id == first)
        work.db.execute(own.values(action="test.onf"))
    assert f"(id {first}) was changed" in run("audit", "verify", status=1).output
    with begin(live.runtime) as work:
        work.db.execute(own.values(action="test.one"))
    with begin(live.runtime) as work:
        work.db.execute(delete(AuditEntry).where(AuditEntry.seal == 2))
    assert head in run("audit", "verify", "--head", head, status=1).output
