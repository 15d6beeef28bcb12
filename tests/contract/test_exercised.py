"""The coverage check of a whole run finds what no test covered."""

from tests.support.exercised import EXEMPT, documented, unmet

ONE = ("POST", "/exams/{exam_id}/submit-exam-answers/", 403)


def test_what_is_left_out_is_told():
    assert unmet(documented() - {ONE}) == {ONE}
    assert unmet(documented()) == set()


def test_what_is_exempt_is_in_the_document():
    for met in EXEMPT.values():
        assert met <= documented()
