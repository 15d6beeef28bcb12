from competition.core.mail.templates import Context, mail_template
from competition.core.messages import ENGLISH, LANGUAGES
from competition.core.work import Work
from competition.plugins.notifications.models import Notice, NoticeTexts


@mail_template("notifications.notified", shared=True)
def notified(work: Work, recipient: str, notice_id: int) -> Context | None:
    """The context of the email, with the texts of a notice in each language. None if the notice was
    deleted."""
    notice = work.db.get(Notice, notice_id)
    if notice is None:
        return None
    original = NoticeTexts(subject=notice.subject, message=notice.message)
    known = {**(notice.translations or {}), ENGLISH: original}
    return {"texts": {each: known.get(each, original) for each in LANGUAGES}}
