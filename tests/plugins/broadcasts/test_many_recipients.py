"""A broadcast to thousands of accounts, before PostgreSQL has statistics about them."""

from sqlalchemy import select, text

from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.plugins.broadcasts.models import Broadcast
from competition.plugins.broadcasts.services import sending
from competition.testing.exam_day import make_exam, sit
from tests.support.many import analyze_once, explained, hand_in, mislead

RECIPIENTS = 3_000
NEWS = {
    "subject": "The league exam",
    "message": "It begins on Saturday.",
    "mediums": ["email", "platform"],
    "target_roles": {"candidate": ["screening"]},
}


def test_no_statement_reads_a_table_again_for_each_recipient(live):
    exam_id, person = make_exam(live, live.staff("admin"), "AB"), live.candidate()
    sit(live, person, exam_id, "AB")
    analyze_once(live)
    with begin(live.runtime) as work:
        hand_in(work, exam_id, ["AB"] * RECIPIENTS)
    live.staff("superadmin").post("/broadcasts/", NEWS, status=201)
    with begin(live.runtime) as work, explained(work) as rows:
        mislead(work)
        broadcast_id = work.db.scalars(select(Broadcast.id)).one()
        sending.choose_recipients(work, broadcast_id)
        while sending.send_batch(work, broadcast_id):
            pass
        sending.finish(work, broadcast_id)
    busiest = max(rows, key=rows.__getitem__)
    assert RECIPIENTS <= rows[busiest] < 10 * RECIPIENTS, busiest
    with begin(live.runtime) as work:
        notified = work.db.scalar(text("select count(*) from notification"))
        assert notified == len(work.db.scalars(select(Mail.id)).all()) == RECIPIENTS + 1
