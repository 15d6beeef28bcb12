"""Submissions without opening the paper, for which the time used is unknown."""

from competition.testing.exam_day import answers, make_exam, publish, sit, submit, take


def test_a_submission_without_a_start_is_rejected_if_a_start_is_required(app_with):
    app = app_with({"competition.sittings.requires_start": "true"})
    admin, ada = app.staff("admin"), app.candidate()
    exam_id = make_exam(app, admin, "AB")
    sheet = answers(app, exam_id, "AB")
    submit(ada, exam_id, sheet, status=400, code="exam_not_started")
    # The errors for an exam of another stage, and for an exam that is not open, come first.
    submit(app.candidate("league"), exam_id, sheet, status=403, code="exam_not_eligible")
    over = make_exam(app, admin, "AB", open_duration_hours=1)
    submit(ada, over, answers(app, over, "AB"), status=403, code="exam_not_open")
    take(ada, exam_id, status=200)
    submit(ada, exam_id, sheet, status=201)
    submit(ada, exam_id, sheet, status=400, code="exam_already_submitted")


def test_ranked_by_time_a_submission_without_a_start_took_the_whole_countdown(app, admin):
    exam_id = make_exam(app, admin, "AB", ranking="time", countdown_minutes=30)
    cunning, honest = app.candidate(), app.candidate()
    submit(cunning, exam_id, answers(app, exam_id, "AB"), status=201)
    take(honest, exam_id, status=200)
    app.clock.advance(minutes=2)
    submit(honest, exam_id, answers(app, exam_id, "AB"), status=201)
    # A candidate who opens the paper and submits immediately has started too.
    quick = app.candidate()
    sit(app, quick, exam_id, "AB")
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(minutes=6)
    publish(app, admin)
    board = admin.get(f"/leaderboard/?exam_id={exam_id}").json["top_three"]
    found = [(row["candidate"]["user_id"], row["seconds_used"]) for row in board]
    assert found == [(str(quick.id), 0.0), (str(honest.id), 120.0), (str(cunning.id), 1800.0)]
