"""Staff take back a candidate's own submission, and the candidate continues."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from competition.plugins.sittings.services import submitting
from competition.testing.exam_day import answers, make_exam, publish, submit, take


def reopen(admin, exam_id, person, extra=None, **expected):
    body = {"reason": "Sent by mistake."} | ({} if extra is None else {"extra_minutes": extra})
    path = f"/exams/{exam_id}/attempts/{person.id}/reopen/"
    return admin.post(path, body, **expected).json


def sitting(app, exam_id, letters, minutes=10):
    person = app.candidate()
    take(person, exam_id, status=200)
    app.clock.advance(minutes=minutes)
    submit(person, exam_id, answers(app, exam_id, letters), status=201)
    return person


def test_the_candidate_continues_with_the_submitted_answers_and_the_same_clock(app, admin):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person = app.candidate()
    started = take(person, exam_id, status=200).json
    save = {"sequence": 7, **answers(app, exam_id, "AA")}
    person.put(f"/exams/{exam_id}/draft/", save, status=200)
    app.clock.advance(minutes=10)
    submit(person, exam_id, answers(app, exam_id, "ABC"), status=201)
    app.run_jobs()
    first = person.get(f"/exams/{exam_id}/receipt/", status=200).json
    app.clock.advance(minutes=5)
    reply = reopen(admin, exam_id, person, status=200)
    assert reply == {
        "exam": exam_id,
        "candidate_id": str(person.id),
        "submitted_at": None,
        "deadline": started["deadline"],
        "seconds_remaining": 45 * 60,
    }
    draft = person.get(f"/exams/{exam_id}/draft/", status=200).json
    assert (draft["sequence"], draft["answered"]) == (8, 3)
    # A save that was sent before the submission arrives late.
    late = {"sequence": 8, **answers(app, exam_id, "DDDD")}
    assert person.put(f"/exams/{exam_id}/draft/", late, status=200).json["applied"] is False
    assert admin.get(f"/exams/{exam_id}/results/", status=200).json == []
    person.get(f"/exams/{exam_id}/receipt/", status=404)
    assert person.get(f"/exams/{exam_id}/receipts/", status=200).json == {"results": [first]}
    verdict = person.post("/receipts/verify/", {"receipt": first}, status=200).json
    assert verdict["valid"] is True
    submit(person, exam_id, answers(app, exam_id, "ABCD"), status=201)
    app.run_jobs()
    second = person.get(f"/exams/{exam_id}/receipt/", status=200).json
    listed = person.get(f"/exams/{exam_id}/receipts/", status=200).json["results"]
    assert listed == [second, first]
    [row] = admin.get(f"/exams/{exam_id}/results/", status=200).json
    assert row["score"] == 100.0


def test_a_save_that_follows_a_draft_from_before_the_reopening_is_not_applied(app, admin):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person = app.candidate()
    take(person, exam_id, status=200)

    def save(sequence, letters, **more):
        body = {"sequence": sequence, **answers(app, exam_id, letters), **more}
        return person.put(f"/exams/{exam_id}/draft/", body, status=200).json

    def saved():
        draft = person.get(f"/exams/{exam_id}/draft/", status=200).json
        return draft["sequence"], "".join(each["selected_option"] for each in draft["answers"])

    assert save(4, "AA", follows=0)["applied"]
    submit(person, exam_id, answers(app, exam_id, "ABC"), status=201)
    reopen(admin, exam_id, person, status=200)
    # These saves have left a device before the submission, such as when the page was hidden.
    for late in (6, 10**12):
        reply = save(late, "DDDD", follows=4)
        assert (reply["applied"], reply["sequence"]) == (False, 5)
    assert saved() == (5, "ABC")
    # A client that has read the reopened draft goes on from there.
    assert save(6, "B", follows=5)["applied"]
    assert save(7, "BA", follows=6)["applied"]
    assert save(9, "DDDD", follows=4)["applied"] is False
    # A client that does not name a draft has only its sequence.
    assert save(8, "C")["applied"]
    assert saved() == (8, "CAC")


def test_a_first_save_from_before_the_reopening_is_not_applied(app, admin):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person = sitting(app, exam_id, "AB")
    reopen(admin, exam_id, person, status=200)
    late = {"sequence": 2, "follows": 0, **answers(app, exam_id, "DD")}
    assert person.put(f"/exams/{exam_id}/draft/", late, status=200).json["applied"] is False


def test_extra_minutes_are_added_to_the_clock_and_awaited(app, admin):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person = sitting(app, exam_id, "AB", minutes=55)
    app.clock.advance(minutes=6)
    assert reopen(admin, exam_id, person, status=400)["code"] == "invalid"
    assert reopen(admin, exam_id, person, extra=1, status=400)["code"] == "invalid"
    assert reopen(admin, exam_id, person, extra=11, status=200)["seconds_remaining"] == 10 * 60
    clock = person.get(f"/exams/{exam_id}/time/", status=200).json
    assert (clock["submitted"], clock["seconds_remaining"]) == (False, 10 * 60)
    app.clock.advance(minutes=15, seconds=1)
    app.run_task("drafts.hand_in")
    app.run_jobs()
    [row] = admin.get(f"/exams/{exam_id}/results/", status=200).json
    assert (row["handed_in_by"], row["score"]) == ("service", 50.0)


def test_a_score_that_the_candidate_can_see_is_not_reopened(app, admin):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="immediately")
    person = sitting(app, exam_id, "AB")
    app.run_jobs()
    assert reopen(admin, exam_id, person, status=400)["code"] == "invalid"
    person.get(f"/exams/{exam_id}/receipt/", status=200)


def test_a_score_that_staff_gave_stays(app, admin):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person = sitting(app, exam_id, "AB")
    given = {"candidate_id": str(person.id), "score": 87.5}
    admin.put(f"/exams/{exam_id}/submit-exam-score/", given, status=200)
    reopen(admin, exam_id, person, status=200)
    [row] = admin.get(f"/exams/{exam_id}/results/", status=200).json
    assert row["score"] == 87.5


def test_what_can_not_be_reopened(app, admin, manager):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    silent, person = app.candidate(), sitting(app, exam_id, "AB")
    take(silent, exam_id, status=200)
    for other in (app.candidate(), silent):
        assert reopen(admin, exam_id, other, status=400)["code"] == "invalid"
    reopen(admin, exam_id, admin, status=404)
    reopen(admin, 9_999_999, person, status=404)
    path = f"/exams/{exam_id}/attempts/{person.id}/reopen/"
    for body in ({}, {"reason": ""}, {"reason": "x", "extra_minutes": 1441}):
        assert admin.post(path, body, status=400).json["code"] == "invalid"
    app.clock.advance(hours=13)
    app.run_task("drafts.hand_in")
    admin = app.new_session(admin)
    assert reopen(admin, exam_id, person, extra=1440, status=400)["code"] == "invalid"
    publish(app, admin)
    assert reopen(admin, exam_id, person, extra=1440, status=400)["code"] == "invalid"


def test_reopening_is_audited_with_its_reason_and_how_long_the_submission_stood(
    app, admin, manager
):
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person = sitting(app, exam_id, "AB")
    app.clock.advance(seconds=timedelta(minutes=3).total_seconds())
    reopen(admin, exam_id, person, extra=5, status=200)
    [entry] = [
        each
        for each in manager.get("/audit/", status=200).json["results"]
        if each["action"] == "attempt.reopen"
    ]
    assert entry["new"] == {"reason": "Sent by mistake.", "extra_minutes": 5}
    assert entry["old"]["stood_seconds"] == 180


def test_the_clock_has_the_time_that_others_got_while_the_submission_stood(app, admin):
    exam_id = make_exam(app, admin, "AB", scores_visible="at_publication")
    other, person = app.candidate(), app.candidate()
    start = app.clock.now

    def give(**allowance):
        body = {"everyone": True, "reason": "The power failed.", **allowance}
        admin.post(f"/exams/{exam_id}/allowances/", body, status=201)

    def lost(first, last):
        begun, ended = (start + timedelta(minutes=each) for each in (first, last))
        return {"from": begun.isoformat(), "until": ended.isoformat()}

    def times():
        shown = [each.get(f"/exams/{exam_id}/time/").json for each in (other, person)]
        return [(each["deadline"], each["extra_minutes"]) for each in shown]

    for each in (other, person):
        take(each, exam_id, status=200)
    give(extra_minutes=2)
    app.clock.advance(minutes=10)
    submit(person, exam_id, answers(app, exam_id, "A"), status=201)
    app.clock.advance(minutes=10)
    give(extra_minutes=15)
    # The first interval lies before the submission, the second after it.
    give(lost=lost(4, 8))
    give(lost=lost(12, 15))
    reopen(admin, exam_id, person, status=200)
    [(deadline, extra), own] = times()
    assert (own, extra) == ((deadline, extra), 24)
    submit(person, exam_id, answers(app, exam_id, "AB"), status=201)
    reopen(admin, exam_id, person, extra=1, status=200)
    assert [extra for _, extra in times()] == [24, 25]


def test_time_that_others_got_is_enough_to_continue(app, admin):
    exam_id = make_exam(app, admin, "AB", scores_visible="at_publication")
    other = app.candidate()
    take(other, exam_id, status=200)
    person = sitting(app, exam_id, "A", minutes=59)
    body = {"everyone": True, "extra_minutes": 15, "reason": "A late start."}
    admin.post(f"/exams/{exam_id}/allowances/", body, status=201)
    app.clock.advance(minutes=10)
    reply = reopen(admin, exam_id, person, status=200)
    assert reply["seconds_remaining"] == 6 * 60


def test_a_late_repeat_of_the_withdrawn_submission_does_not_submit_again(app, admin):
    """The reply was lost, so the client goes on repeating the request after the reopening."""
    exam_id = make_exam(app, admin, "ABCD", scores_visible="at_publication")
    person, key = app.candidate(), {"Idempotency-Key": "the-first"}
    take(person, exam_id, status=200)
    first = submit(person, exam_id, answers(app, exam_id, "AB"), headers=key, status=201).json
    reopen(admin, exam_id, person, status=200)
    save = {"sequence": 9, **answers(app, exam_id, "ABC")}
    person.put(f"/exams/{exam_id}/draft/", save, status=200)
    again = submit(person, exam_id, answers(app, exam_id, "AB"), headers=key, status=201).json
    assert again == first
    person.get(f"/exams/{exam_id}/receipt/", status=404)
    assert person.get(f"/exams/{exam_id}/draft/", status=200).json["answered"] == 3
    # Other answers with this key are a new submission, for clients with one key for each exam.
    submit(person, exam_id, answers(app, exam_id, "ABCD"), headers=key, status=201)
    receipt = person.get(f"/exams/{exam_id}/receipt/", status=200).json
    assert receipt["answered"] == 4


def test_a_repeat_that_arrives_during_the_withdrawal_does_not_submit_again(live, monkeypatch):
    admin = live.staff("admin")
    exam_id = make_exam(live, admin, "AB", scores_visible="at_publication")
    person, key = live.candidate(), {"Idempotency-Key": "the-first"}
    take(person, exam_id, status=200)
    body = answers(live, exam_id, "AB")
    submit(person, exam_id, body, headers=key, status=201)
    pack, withdrawn = submitting.pack, []

    def withdraw_and_pack(*arguments):
        if not withdrawn:
            # Another thread has a transaction of its own.
            with ThreadPoolExecutor(1) as other:
                withdrawn.append(other.submit(reopen, admin, exam_id, person, status=200).result())
        return pack(*arguments)

    monkeypatch.setattr(submitting, "pack", withdraw_and_pack)
    submit(person, exam_id, body, headers=key, status=400, code="exam_already_submitted")
    person.get(f"/exams/{exam_id}/receipt/", status=404)
    assert submit(person, exam_id, body, headers=key, status=201).json["receipt"]["answered"] == 2
    person.get(f"/exams/{exam_id}/receipt/", status=404)
