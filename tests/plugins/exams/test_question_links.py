"""Adding questions to exams, removing them, and archiving many at once."""

from competition.testing.exam_day import make_exam, make_questions
from competition.testing.races import together

FROZEN = (
    "The paper of this exam is frozen. If nobody has started the exam, unfreeze the paper first."
)


def questions_of(admin, exam_id):
    return [question["id"] for question in admin.get(f"/exams/{exam_id}/questions/").json]


def link(admin, question_id, add=(), remove=(), **expected):
    body = {"add_to_exams": list(add), "remove_from_exams": list(remove)}
    return admin.post(f"/questions/{question_id}/exams/", body, **expected)


def started(app, admin):
    exam_id = make_exam(app, admin)
    app.candidate().get(f"/exams/{exam_id}/take-exam/")
    return exam_id


class TestOneQuestion:
    def test_each_exam_succeeds_or_fails_separately(self, app, admin):
        [question] = make_questions(app, "A")
        new, old, has, begun = (
            make_exam(app, admin, "", title="New"),
            make_exam(app, admin, "", title="Old", questions=[question]),
            make_exam(app, admin, "", questions=[question]),
            started(app, admin),
        )
        reply = link(admin, question, [new, has, begun, 999_999], [old, 888_888]).json
        assert reply == {
            "question_id": question,
            "added": [{"exam_id": new, "exam_title": "New"}],
            "removed": [{"exam_id": old, "exam_title": "Old"}],
            "failed_additions": [
                {"exam_id": has, "reason": "Already exists"},
                {"exam_id": begun, "reason": FROZEN},
                {"exam_id": 999_999, "reason": "Exam not found"},
            ],
            "failed_removals": [{"exam_id": 888_888, "reason": "Exam not found"}],
        }
        assert questions_of(admin, new) == [question]
        assert questions_of(admin, old) == []

    def test_an_added_question_comes_last(self, app, admin):
        exam_id = make_exam(app, admin, "AB")
        before = questions_of(admin, exam_id)
        [question] = make_questions(app, "C")
        link(admin, question, [exam_id])
        assert questions_of(admin, exam_id) == [*before, question]

    def test_a_question_that_is_not_in_the_exam_can_not_be_removed(self, app, admin):
        [question] = make_questions(app, "A")
        exam_id = make_exam(app, admin, "B")
        [failure] = link(admin, question, remove=[exam_id]).json["failed_removals"]
        assert failure["reason"] == "This question is not in the exam."

    def test_an_archived_question_can_be_removed_and_not_added(self, app, admin):
        [question] = make_questions(app, "A")
        exam_id, other = make_exam(app, admin, "", questions=[question]), make_exam(app, admin)
        admin.delete(f"/questions/{question}/")
        reply = link(admin, question, [other], [exam_id]).json
        assert reply["failed_additions"][0]["reason"] == "Question not found or archived"
        assert [row["exam_id"] for row in reply["removed"]] == [exam_id]

    def test_an_exam_has_at_most_500_questions(self, app, admin):
        exam_id = make_exam(app, admin, "A" * 500)
        [question] = make_questions(app, "A")
        [failure] = link(admin, question, [exam_id]).json["failed_additions"]
        assert failure["reason"] == (
            "An exam can have at most 500 questions. Remove some first, or add fewer."
        )

    def test_empty_contradictory_and_unknown_links_are_rejected(self, app, admin):
        [question] = make_questions(app, "A")
        exam_id = make_exam(app, admin)
        link(admin, question, status=400, code="invalid")
        link(admin, question, [exam_id], [exam_id], status=400, code="invalid")
        link(admin, 999_999, [exam_id], status=404, code="not_found")
        link(admin, question, ["x"], status=400, code="invalid")


class TestInBulk:
    def test_the_summary_counts_additions_and_failures(self, app, admin):
        first, second, archived = make_questions(app, "ABC")
        admin.delete(f"/questions/{archived}/")
        into = make_exam(app, admin, "", title="Into", questions=[first])
        begun = started(app, admin)
        body = {
            "question_ids": [first, second, archived, 999_999, second],
            "exam_ids": [into, begun, 888_888],
        }
        reply = admin.post("/questions/bulk-add-to-exams/", body).json
        assert reply["summary"] == {
            "total_operations": 12,
            "successful": 1,
            "skipped": 1,
            "failed": 10,
        }
        assert reply["details"] == {
            "added": [{"question_id": second, "exam_id": into, "exam_title": "Into"}],
            "skipped": [{"question_id": first, "exam_id": into, "reason": "Already exists"}],
            "failed_questions": [
                {"question_id": archived, "reason": "Question not found or archived"},
                {"question_id": 999_999, "reason": "Question not found or archived"},
            ],
            "failed_exams": [
                {"exam_id": begun, "reason": FROZEN},
                {"exam_id": 888_888, "reason": "Exam not found"},
            ],
        }
        assert questions_of(admin, into) == [first, second]

    def test_the_reasons_are_in_the_language_of_the_reader(self, app, admin):
        exam_id = make_exam(app, admin, "A")
        [question] = make_questions(app, "A")
        headers = {"Accept-Language": "fr"}
        body = {"question_ids": [question, 999_999], "exam_ids": [exam_id, 999_999]}
        path = "/questions/bulk-add-to-exams/"
        details = admin.post(path, body, headers=headers).json["details"]
        assert details["failed_questions"][0]["reason"] == "Question introuvable ou archivée"
        assert details["failed_exams"][0]["reason"] == "Épreuve introuvable"
        details = admin.post(path, body, headers=headers).json["details"]
        assert details["skipped"][0]["reason"] == "Déjà présente"
        archived = {"question_ids": [999_999]}
        reply = admin.post("/questions/bulk-archive/", archived, headers=headers).json
        assert reply["details"]["failed"][0]["reason"] == "Question introuvable ou archivée"

    def test_empty_lists_are_invalid(self, app, admin):
        path = "/questions/bulk-add-to-exams/"
        admin.post(path, {"question_ids": [], "exam_ids": [1]}, status=400, code="invalid")
        admin.post(path, {"question_ids": [1], "exam_ids": []}, status=400, code="invalid")
        admin.post(path, {}, status=400, code="invalid")
        archive = "/questions/bulk-archive/"
        admin.post(archive, {"question_ids": []}, status=400, code="invalid")

    def test_archiving_in_bulk_names_its_failures(self, app, admin):
        ids = make_questions(app, "ABC")
        admin.delete(f"/questions/{ids[0]}/")
        body = {"question_ids": [*ids, 999_999, ids[1]]}
        reply = admin.post("/questions/bulk-archive/", body).json
        assert reply["summary"] == {
            "total_questions": 4,
            "successful_archives": 2,
            "failed_archives": 2,
        }
        assert reply["details"]["archived"] == ids[1:]
        failed = [row["question_id"] for row in reply["details"]["failed"]]
        assert failed == [ids[0], 999_999]
        assert admin.get("/questions/").json["pagination"]["count"] == 0

    def test_two_simultaneous_additions_in_different_orders_both_succeed(self, live):
        admins = [live.staff("admin"), live.staff("admin")]
        exams = [make_exam(live, admins[0], "") for _ in range(2)]
        ids = make_questions(live, "ABCD")
        orders = [(ids, exams), (ids[::-1], exams[::-1])]

        def act(index):
            question_ids, exam_ids = orders[index]
            body = {"question_ids": question_ids, "exam_ids": exam_ids}
            return admins[index].post("/questions/bulk-add-to-exams/", body, status=200).json

        summaries = [reply["summary"] for reply in together(2, act)]
        assert sorted(each["successful"] for each in summaries) == [0, 8]
        assert sorted(each["skipped"] for each in summaries) == [0, 8]
        for exam_id in exams:
            assert sorted(questions_of(admins[0], exam_id)) == ids
