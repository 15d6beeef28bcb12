from competition.core.mail.templates import Context, mail_template
from competition.core.work import Work
from tests.contract.external_plugin import services


@mail_template("external.greeting")
def greeting(work: Work, recipient: str) -> Context | None:
    return {"greeting": services.greeting(work, recipient)}
