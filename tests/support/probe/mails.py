from typing import Any

from competition.core.flags import Flag
from competition.core.mail.templates import Context, mail_template
from competition.core.work import Work


@mail_template("probe.letter")
def letter(work: Work, recipient: str, **args: Any) -> Context | None:
    """The context of an email. An argument can cause a problem.

    With `skip`, there is nothing to send. With `crash`, rendering the email fails. With `flag`, a
    flag is created and committed first.
    """
    if args.get("skip"):
        return None
    if args.get("crash"):
        raise ZeroDivisionError
    if args.get("flag"):
        work.db.merge(Flag(name=args["flag"], enabled=True, updated_at=work.now))
    return {"subject": args.get("subject", "Hello"), "text": args.get("text", "A letter.")}
