"""How leaderboards show names, and for how long."""

import pytest

from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.exam_day import publish, season


def shown(app, exam_id):
    # A process caches pages for a minute, so clear its cache.
    app.runtime.close_parts()
    board = app.staff("moderator").get(f"/leaderboard/?exam_id={exam_id}").json
    return [each["candidate"]["full_name"] for each in board["top_three"]]


@pytest.mark.parametrize(
    ("form", "expected"),
    [("full", "Ada King Lovelace"), ("short", "Ada L."), ("initials", "A. L.")],
)
def test_the_form_of_names_is_a_setting(app_with, form, expected):
    app = app_with({"competition.names.shown": form})
    admin = app.staff("admin")
    exam_id, [person] = season(app, admin, ["AB"], key="AB")
    with begin(app.runtime) as work:
        work.db.get_one(User, person.id).last_name = "King Lovelace"
    publish(app, admin)
    assert shown(app, exam_id) == [expected]
    path = f"/leaderboard/screening/1/candidate/{person.id}/"
    found = person.get(path).json["candidate_performance"]
    assert found["candidate"]["full_name"] == expected


def test_names_are_permanently_deleted_from_old_leaderboards(app_with):
    app = app_with({"competition.names.kept_days": "30", "competition.names.shown": "initials"})
    admin = app.staff("admin")
    exam_id, _ = season(app, admin, ["AB", "AC"], key="AB")
    publish(app, admin)
    app.forget("leaderboard.names")
    assert shown(app, exam_id) == ["A. N.", "A. N."]
    app.clock.advance(days=31)
    app.forget("leaderboard.names")
    assert shown(app, exam_id) == ["Erased", "Erased"]
    publish(app, app.staff("admin"))
    assert shown(app, exam_id) == ["Erased", "Erased"]


def test_by_default_names_are_kept(app):
    admin = app.staff("admin")
    exam_id, _ = season(app, admin, ["AB"], key="AB")
    publish(app, admin)
    app.clock.advance(days=3650)
    app.forget("leaderboard.names")
    assert shown(app, exam_id)[0].startswith("Ada Number")
