"""Candidates without verification are erased after the number of days in the settings."""

from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.scores.models import Score
from competition.testing.exam_day import make_exam


def people(app):
    with begin(app.runtime) as work:
        return {user.id: user.first_name for user in work.db.query(User)}


def test_unverified_candidates_are_erased_after_the_configured_days(app_with):
    app = app_with({"competition.privacy.unverified_days": "30"})
    unproven = app.candidate(is_email_verified=False)
    silent = app.candidate(verification="not_submitted")
    scored = app.candidate(verification="rejected")
    admin = app.staff("admin")
    stay = [
        admin,
        app.candidate(),
        app.candidate(verification="pending"),
        app.candidate(verification="not_submitted", is_active=False),
        app.staff("volunteer", verification="not_submitted"),
    ]
    exam_id = make_exam(app, admin)
    with begin(app.runtime) as work:
        score = {"exam_id": exam_id, "value": 50, "is_auto": False, "recorded_at": work.now}
        work.db.add(Score(candidate_id=scored.id, **score))
    before = people(app)
    app.clock.advance(days=30, seconds=-1)
    app.forget("privacy.unverified")
    assert people(app) == before
    app.clock.advance(seconds=1)
    app.forget("privacy.unverified")
    left = people(app)
    assert not {unproven.id, silent.id} & left.keys()
    # The account stays because its score refers to it.
    assert left[scored.id] == "Erased"
    assert {left[each.id] for each in stay} == {"Ada"}


def test_by_default_unverified_candidates_are_kept(app):
    person = app.candidate(is_email_verified=False)
    app.clock.advance(days=3650)
    app.forget("privacy.unverified")
    assert people(app)[person.id] == "Ada"
