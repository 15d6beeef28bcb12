"""What is read together with who asks."""

import pytest
from sqlalchemy import Numeric, bindparam, cast, func, select

from competition.bench.statements import Tap
from competition.core.auth import sessions
from competition.core.auth.models import AuthSession
from competition.core.errors import InvalidToken
from competition.core.users.models import User
from competition.core.work import Read, begin

USERS = User.__table__.c


def test_what_is_read_ahead_is_there_once(live):
    """It is read again for another question, and when it is asked once more."""

    def names(work):
        return select(User.__table__.c.email).where(User.__table__.c.email == bindparam("email"))

    ada, bob = live.candidate(), live.candidate()

    def asking(email):
        return Read(names, values={"email": email})

    with begin(live.runtime) as work, Tap(live.runtime.database.bind) as tap:
        with tap.counting() as counted:
            sessions.identify(work, ada.client.token, first=lambda: [asking(ada.email)])
            assert [tuple(row) for row in work.read(asking(ada.email))] == [(ada.email,)]
        assert counted.statements == 1
        with tap.counting() as counted:
            assert [row.email for row in work.read(asking(bob.email))] == [bob.email]
            assert [row.email for row in work.read(asking(ada.email))] == [ada.email]
        assert counted.statements == 2
        nobody = asking("nobody@x.example")
        sessions.identify(work, ada.client.token, first=lambda: [nobody])
        assert work.read(nobody) == []


def test_several_things_are_read_ahead_in_one_statement(live):
    """Each as if it had been asked by itself, whatever its columns are called, and however many
    rows it has."""

    def accounts(work):
        return select(USERS.id, USERS.email, USERS.date_joined, USERS.permissions)

    def sessions_of_caller(work):
        columns = AuthSession.__table__.c
        made_up = func.concat(columns.id).label("email"), cast(1.5, Numeric(4, 2)).label("half")
        is_own = columns.user_id == bindparam("user_id")
        return select(columns.id, *made_up, columns.revoked_at).where(is_own)

    def nothing(work):
        return select(USERS.id).where(USERS.email == bindparam("email"))

    ada, _ = live.candidate(), live.candidate()
    reads = [
        Read(sessions_of_caller),
        Read(nothing, values={"email": "nobody@x.example"}),
        Read(accounts),
    ]
    with begin(live.runtime) as work, Tap(live.runtime.database.bind) as tap:
        with tap.counting() as counted:
            work.actor = sessions.identify(work, ada.client.token, first=lambda: reads)
            ahead = [work.read(read) for read in reads]
        assert counted.statements == 1
        alone = [work.read(read) for read in reads]
    assert [len(rows) for rows in alone] == [1, 0, 2]
    for found, expected in zip(ahead, alone, strict=True):
        assert {*map(str, found)} == {*map(str, expected)}
        assert [row._fields for row in found] == [row._fields for row in expected]


def test_the_callers_account_comes_without_another_look(live):
    """For whoever asks for its columns, and for no more than that."""
    own = USERS.id == bindparam("user_id")
    account = select(USERS.email, USERS.id, USERS.permissions).where(own)
    others = [
        select(func.count(USERS.id), USERS.email.label("name")).where(own).group_by(USERS.email),
        select(USERS.email).where(own).limit(0),
        select(USERS.id).where(own, USERS.is_active.is_(False)),
        select(USERS.id, AuthSession.__table__.c.user_id).where(own),
        select(USERS.email).where(USERS.id != bindparam("user_id")),
    ]
    ada, _ = live.candidate(), live.candidate()
    with begin(live.runtime) as work:
        reads = [
            Read(lambda work, at: [account, *others][at], (at,)) for at in range(1 + len(others))
        ]
        for asked in (reads[:1], reads, [*reads[::-1], *reads], reads[1:]):
            work.actor = sessions.identify(work, ada.client.token, first=lambda: asked)  # noqa: B023
            ahead = [work.read(read) for read in asked]
            assert ahead == [work.read(read) for read in asked]
        assert [len(rows) for rows in ahead] == [1, 0, 0, 2, 1]


def test_the_callers_account_is_looked_for_once(app, statements):
    ada = app.candidate()
    with statements() as executed:
        ada.get("/candidates/me/", status=200)
    [asking] = [each for each in executed if "session.revoked_at" in each]
    assert asking.count("FROM") == 1


def test_values_of_one_name_are_not_mixed_up(live):
    def ids(work):
        return select(USERS.id).where(USERS.email == bindparam("email"))

    def emails(work):
        return select(USERS.email).where(USERS.email == bindparam("email"))

    def owners(work):
        return select(AuthSession.__table__.c.user_id).where(
            AuthSession.__table__.c.id == bindparam("session_id")
        )

    ada, bob = live.candidate(), live.candidate()
    asked = (ids, ada), (emails, bob), (ids, bob), (emails, ada)
    reads = [Read(build, values={"email": person.email}) for build, person in asked]
    with begin(live.runtime) as work:
        bobs = sessions.identify(work, bob.client.token).session_id
        reads.append(Read(owners, values={"session_id": bobs}))
        sessions.identify(work, ada.client.token, first=lambda: reads)
        ahead = [work.read(read) for read in reads]
        assert ahead == [work.read(read) for read in reads]


def test_what_was_read_ahead_is_read_again_once_it_may_be_old(live):
    ada = live.candidate()
    read = Read(lambda work: select(USERS.first_name).where(USERS.id == bindparam("user_id")))
    with begin(live.runtime) as work:
        work.actor = sessions.identify(work, ada.client.token, first=lambda: [read])
        with begin(live.runtime) as other:
            other.db.get_one(User, work.identity.user_id).first_name = "Changed"
        work.read_anew()
        assert work.read(read)[0].first_name == "Changed"


def test_a_token_that_is_no_good_reads_nothing(live):
    with begin(live.runtime) as work, pytest.raises(InvalidToken):
        sessions.identify(work, "no.such.token", first=lambda: pytest.fail("it was read for"))
