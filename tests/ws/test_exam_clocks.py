"""Changed deadlines are pushed immediately to the candidates concerned."""

from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.sockets import nothing_came, receive


def test_candidates_taking_the_exam_receive_the_new_deadline(sockets):
    service = sockets.service
    admin, ada, ben, eve = service.staff("admin"), *(service.candidate() for _ in range(3))
    exam_id = make_exam(service, admin, "A")
    url = f"/exams/{exam_id}/allowances/"
    for person in (ada, ben):
        take(person, exam_id)
    hers, his, theirs = (sockets.open(person) for person in (ada, ben, eve))
    body = {"candidate_id": str(ada.id), "extra_minutes": 5, "reason": "Noise."}
    admin.post(url, body, status=201)
    pushed = receive(hers)
    assert (pushed["type"], pushed["message"].keys()) == (
        "exam_clock",
        {"exam", "server_time", "deadline", "seconds_remaining", "extra_minutes"},
    )
    message = pushed["message"]
    assert (message["exam"], message["seconds_remaining"]) == (exam_id, 65 * 60)
    shown = ada.get(f"/exams/{exam_id}/time/").json
    assert {name: shown[name] for name in message if name != "exam"} == {
        name: value for name, value in message.items() if name != "exam"
    }
    assert message["extra_minutes"] == 5
    nothing_came(his)
    admin.post(url, {"everyone": True, "extra_minutes": 1, "reason": "Noise."}, status=201)
    assert receive(hers)["message"]["extra_minutes"] == 6
    assert receive(his)["message"]["extra_minutes"] == 1
    submit(ben, exam_id, answers(service, exam_id, "A"), status=201)
    # Staff take the submission back.
    again = {"reason": "Sent by mistake.", "extra_minutes": 5}
    admin.post(f"/exams/{exam_id}/attempts/{ben.id}/reopen/", again, status=200)
    assert receive(his)["message"]["seconds_remaining"] == 66 * 60
    submit(ben, exam_id, answers(service, exam_id, "A"), status=201)
    admin.patch(f"/exams/{exam_id}/", {"countdown_minutes": 90})
    assert receive(hers)["message"]["seconds_remaining"] == 96 * 60
    admin.post(f"/exams/{exam_id}/conclude/")
    assert receive(hers)["message"]["seconds_remaining"] == 0
    nothing_came(his)
    nothing_came(theirs)
