"""The time of a request is the time at which its body has arrived.

Otherwise a candidate could begin to send a submission in time, and its answers much later.
"""

import io
import json

import pytest

from competition.core.work import begin
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import answers, make_exam, take


class Late(io.BytesIO):
    """A body that arrives a second later than the head of its request."""

    def __init__(self, app, content):
        super().__init__(content)
        self.app = app
        self.is_late = False

    def read(self, size=-1):
        if not self.is_late:
            self.is_late = True
            self.app.clock.advance(seconds=1)
        return super().read(size)


@pytest.mark.parametrize("in_chunks", [False, True])
@pytest.mark.parametrize("action", ["submit", "save"])
def test_answers_that_arrive_after_the_grace_period_are_rejected(app, admin, action, in_chunks):
    exam_id, person = make_exam(app, admin, "AB"), app.candidate()
    take(person, exam_id, status=200)
    app.clock.advance(minutes=65)
    body = answers(app, exam_id, "AB")
    if action == "save":
        method, path = "PUT", f"/exams/{exam_id}/draft/"
        body["sequence"] = 1
    else:
        method, path = "POST", f"/exams/{exam_id}/submit-exam-answers/"
    content = json.dumps(body).encode()
    length = {"wsgi.input_terminated": True} if in_chunks else {"CONTENT_LENGTH": str(len(content))}
    environ = {"wsgi.input": Late(app, content), "CONTENT_TYPE": "application/json", **length}
    person.request(method, path, environ=environ, status=403, code="exam_not_open")
    with begin(app.runtime) as work:
        assert work.db.get(Submission, (exam_id, person.id)) is None
