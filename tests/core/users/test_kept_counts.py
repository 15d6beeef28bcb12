"""How many accounts there are, which triggers keep (docs/decisions/0037-kept-counts.md)."""

from threading import Thread

import pytest
from sqlalchemy import delete, func, insert, select

from competition.core.users import headcounts
from competition.core.users.headcounts import UserCount, how_many
from competition.core.users.models import User
from competition.core.work import begin

KINDS = ("candidate", "staff")


def kept(work):
    return [work.db.scalar(how_many(UserCount.kind == kind)) for kind in KINDS]


def counted(work):
    return [work.db.scalar(select(func.count()).where(User.kind == kind)) for kind in KINDS]


def test_they_follow_what_is_added_and_removed(app):
    people = [app.candidate(), app.candidate(), app.staff("admin")]
    with begin(app.runtime) as work:
        assert kept(work) == counted(work)
        before = kept(work)
        # Several at once, of both kinds, by one statement.
        work.db.execute(delete(User).where(User.id.in_([each.id for each in people[1:]])))
        assert kept(work) == counted(work) == [each - 1 for each in before]


def test_what_is_undone_is_not_counted(app):
    app.candidate()
    with begin(app.runtime) as work:
        before = kept(work)
        with pytest.raises(RuntimeError), work.db.begin_nested():
            work.db.execute(delete(User))
            assert kept(work) == [0, 0]
            raise RuntimeError
        assert kept(work) == counted(work) == before


def test_a_list_tells_of_them(app, manager):
    app.candidate()
    listed = [
        manager.get(path, status=200).json["pagination"]["count"]
        for path in ("/candidates/", "/staff/", "/user/list/", "/user/list/?profile=staff")
    ]
    with begin(app.runtime) as work:
        candidates, staff = counted(work)
        assert listed == [candidates, staff, candidates + staff, staff]
        # As one that nobody has added would be.
        work.db.execute(insert(UserCount).values(kind="candidate", change=10))
    assert manager.get("/candidates/").json["pagination"]["count"] == candidates + 10
    assert manager.get("/candidates/?role=screening").json["pagination"]["count"] == candidates


def test_a_recount_mends_them(app):
    app.candidate()
    app.staff("admin")
    with begin(app.runtime) as work:
        work.db.execute(insert(UserCount).values(kind="candidate", change=10))
        for _ in range(2):
            headcounts.refresh(work)
            assert kept(work) == counted(work)
        assert work.db.scalar(select(func.count()).select_from(UserCount)) == len(KINDS)


def test_a_recount_knows_nothing_of_what_others_have_not_committed(live):
    goes, stays = live.candidate(), live.candidate()

    def recount():
        with begin(live.runtime) as work:
            headcounts.recount(work)

    with begin(live.runtime) as open_:
        open_.db.execute(delete(User).where(User.id == goes.id))
        recount()
        with begin(live.runtime) as work:
            assert kept(work) == counted(work) == [2, 0]
    with begin(live.runtime) as work:
        assert kept(work) == counted(work) == [1, 0]
        assert work.db.get(User, stays.id)


def test_recounts_at_the_same_time_count_once(live):
    live.candidate()

    def recount():
        with begin(live.runtime) as work:
            headcounts.recount(work)

    with begin(live.runtime) as first:
        headcounts.recount(first)
        second = Thread(target=recount)
        second.start()
        second.join(0.5)
        assert second.is_alive()
    second.join()
    with begin(live.runtime) as work:
        assert kept(work) == counted(work) == [1, 0]
