"""The coverage check of a whole run reports the operations and statuses that no test covered."""

from tests.support.exercised import EXEMPT, documented, unmet

ONE = ("POST", "/exams/{exam_id}/submit-exam-answers/", 403)


def test_an_untested_reply_is_reported():
    assert unmet(documented() - {ONE}) == {ONE}
    assert unmet(documented()) == set()


def test_exempt_replies_are_in_the_document():
    for met in EXEMPT.values():
        assert met <= documented()
