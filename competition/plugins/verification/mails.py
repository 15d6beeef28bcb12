from competition.core.mail.templates import Context, mail_template
from competition.core.work import Work


@mail_template("verification.lapsed")
def lapsed(work: Work, recipient: str) -> Context:
    return {}
