from competition.core.mail.templates import Context, mail_template
from competition.core.work import Work
from competition.plugins.broadcasts.models import Broadcast


@mail_template("broadcasts.broadcast", shared=True)
def broadcast(work: Work, recipient: str, *, broadcast_id: int) -> Context | None:
    row = work.db.get_one(Broadcast, broadcast_id)
    return {
        "subject": row.subject,
        "message": row.message,
        "is_on_platform": "platform" in row.mediums,
    }
