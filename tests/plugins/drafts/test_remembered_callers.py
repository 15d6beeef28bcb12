"""A save asks nothing about who saves, as long as nothing was written about them: and is never made
for somebody who may not any more."""

import pytest
from sqlalchemy import text

from competition.core.auth import remembered
from competition.core.auth.remembered import UNCONFIRMED, Remembered
from competition.core.web import request as requests
from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.testing.exam_day import answers, make_exam, take

pytestmark = pytest.mark.needs("drafts")

END_SESSION = "update session set revoked_at = now() where user_id = :user_id"
BAR = 'update "user" set is_active = false where id = :user_id'
RENAME = "update \"user\" set first_name = 'Grace' where id = :user_id"


@pytest.fixture
def saver(live):
    """Somebody who has saved twice: the process knows them."""
    exam_id, person = make_exam(live, live.staff("admin"), "ABCD"), live.candidate()
    take(person, exam_id)
    saves = Saver(live, person, exam_id)
    for sequence in (1, 2):
        saves(sequence, "ABCD", status=200)
    return saves


class Saver:
    def __init__(self, service, person, exam_id):
        self.service, self.person, self.exam_id = service, person, exam_id
        self.path = f"/exams/{exam_id}/draft/"

    def __call__(self, sequence, letters, **expected):
        body = {"sequence": sequence, **answers(self.service, self.exam_id, letters)}
        return self.person.put(self.path, body, **expected)

    def elsewhere(self, change):
        """Another process writes about them."""
        with begin(self.service.runtime) as work:
            work.db.execute(text(change), {"user_id": self.person.id})

    def saved(self):
        with begin(self.service.runtime) as work:
            return work.db.get_one(Draft, (self.exam_id, self.person.id)).sequence


@pytest.mark.parametrize("change", [END_SESSION, BAR], ids=["ended", "barred"])
@pytest.mark.parametrize("letters", ["BBBB", "XBBB"])
def test_who_may_not_any_more_saves_nothing(saver, change, letters):
    """And is told so first, whatever else is wrong."""
    saver.elsewhere(change)
    assert saver(3, letters, status=401).json["code"] == "invalid_token"
    assert saver.saved() == 2


def test_who_is_written_about_is_asked_once_more(saver):
    saver.elsewhere(RENAME)
    assert saver(3, "BBBB", status=200).json["applied"]
    assert saver(4, "CCCC", status=200).json["applied"]
    assert saver.saved() == 4


def test_a_body_that_is_refused_is_one_request(live_with, monkeypatch):
    """It is tried again, by who the caller is then; the limits and the log see one."""
    on = {"competition.ratelimit.enabled": "true", "competition.server.access_log": "true"}
    service = live_with(on)
    exam_id, person = make_exam(service, service.staff("admin"), "ABCD"), service.candidate()
    take(person, exam_id)
    saves = Saver(service, person, exam_id)
    first = saves(1, "ABCD", status=200)
    logged = []
    monkeypatch.setattr(
        requests, "log_access", lambda request, response, _: logged.append(response.status_int)
    )
    refused = saves(2, "XBBB", status=400)
    remaining = [int(each.headers["X-RateLimit-Remaining"]) for each in (first, refused)]
    assert remaining[0] - remaining[1] == 1
    assert logged == [400]


def test_what_nothing_has_confirmed_is_answered_to_nobody(saver, monkeypatch):
    """An endpoint that forgets to asks who it is, as others do."""
    confirmed = []
    monkeypatch.setattr(
        remembered, "confirm", lambda work: confirmed.append(work.held.get(UNCONFIRMED))
    )
    assert saver(3, "BBBB", status=200).json["applied"]
    assert confirmed == [True, None]


def test_a_process_remembers_so_many(saver, monkeypatch):
    monkeypatch.setattr(remembered, "MOST_REMEMBERED", 3)
    others = [saver.service.candidate() for _ in range(5)]
    for person in others:
        take(person, saver.exam_id)
        Saver(saver.service, person, saver.exam_id)(1, "ABCD", status=200)
    known = saver.service.runtime.part(Remembered)
    assert [each.user_id for each in known.values()] == [each.id for each in others[-3:]]


def test_of_another_session_of_the_same_user_nothing_is_known(saver):
    other = Saver(saver.service, saver.service.new_session(saver.person), saver.exam_id)
    saver.elsewhere(END_SESSION)
    for saves in (saver, other):
        assert saves(3, "BBBB", status=401).json["code"] == "invalid_token"
