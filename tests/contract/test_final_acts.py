"""Acts that can't be taken back reject unknown fields (decisions A10)."""

import pytest

from competition.core import flags
from competition.core.work import begin
from competition.testing.exam_day import make_exam

NEWS = {
    "subject": "Rings",
    "message": "The league begins.",
    "mediums": ["platform"],
    "target_roles": {"candidate": ["screening"]},
}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/broadcasts/", NEWS),
        ("/exams/{}/announcements/", {"text": "Question 3 is withdrawn."}),
        ("/exams/{}/conclude/", {}),
        ("/leaderboard/publish/", {"exams": ["{}"]}),
        ("/publish-scores/", {}),
        ("/seasons/", {"name": "2027"}),
        ("/seasons/undo/", {}),
    ],
)
def test_an_unknown_field_stops_the_act(app, path, body):
    app.candidate()
    manager = app.staff("superadmin")
    with begin(app.runtime) as work:
        flags.switch(work, "score_publication", True)
    exam = make_exam(app, manager)
    sent = {name: [exam] if value == ["{}"] else value for name, value in body.items()}
    for unknown in ("send_at", "x" * 1000):
        reply = manager.post(
            path.format(exam), {**sent, unknown: "2026-04-01"}, status=400, code="invalid"
        )
        assert list(reply.json["errors"]) == [unknown[:100]]
    assert manager.get(f"/exams/{exam}/").json["status"] == "ongoing"
