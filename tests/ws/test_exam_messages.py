"""Answers and announcements are pushed to candidates, and open questions to staff."""

from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.sockets import nothing_came, receive, send


def ask(person, exam_id):
    path, body = f"/exams/{exam_id}/clarifications/", {"text": "Why?"}
    return person.post(path, body, status=201).json["id"]


def test_candidates_taking_the_exam_receive_answers_and_announcements(sockets):
    service = sockets.service
    admin, ada, ben, eve, absent = (
        service.staff("admin"),
        *(service.candidate() for _ in range(4)),
    )
    exam_id = make_exam(service, admin, "A")
    for person in (ada, ben, eve):
        take(person, exam_id)
    submit(eve, exam_id, answers(service, exam_id, "A"), status=201)
    hers, his, done, away = (sockets.open(person) for person in (ada, ben, eve, absent))
    private, public = ask(ada, exam_id), ask(ada, exam_id)
    made = admin.post(f"/exams/{exam_id}/announcements/", {"text": "Listen."}, status=201).json
    frame = {
        "exam": exam_id,
        "kind": "announcement",
        "id": made["id"],
        "question": None,
        "text": "Listen.",
        "created_at": made["created_at"],
    }
    for socket in (hers, his):
        assert receive(socket) == {"type": "exam_message", "message": frame}
    assert receive(done)["type"] == "notification_activity"
    admin.post(f"/clarifications/{private}/answer/", {"answer": "Yes.", "public": False})
    pushed = receive(hers)["message"]
    assert (pushed["kind"], pushed["id"], pushed["text"]) == ("answer", private, "Yes.")
    admin.post(f"/clarifications/{public}/answer/", {"answer": "No.", "public": True})
    assert receive(hers) == receive(his)
    assert receive(done)["message"]["message"] == "No."
    admin.post(f"/clarifications/{private}/answer/", {"dismiss": True}, status=200)
    assert receive(hers)["message"]["text"] is None
    for socket in (hers, his, done, away):
        nothing_came(socket)


def test_staff_who_follow_an_exam_get_the_number_of_open_questions(sockets):
    service = sockets.service
    moderator, ada = service.staff("moderator"), service.candidate()
    exam_id = make_exam(service, service.staff("admin"), "A")
    take(ada, exam_id)
    watcher, bystander = sockets.open(moderator), sockets.open(moderator)
    send(watcher, "follow_exam", {"exam": exam_id})
    nothing_came(watcher)
    asked = ask(ada, exam_id)
    frame = {"type": "exam_question", "message": {"exam": exam_id, "open": 1}}
    assert receive(watcher) == frame
    moderator.post(f"/clarifications/{asked}/answer/", {"dismiss": True}, status=200)
    assert receive(watcher)["message"]["open"] == 0
    nothing_came(watcher)
    nothing_came(bystander)
