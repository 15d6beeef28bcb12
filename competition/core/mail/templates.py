"""Declaring mails: what one says, and the text it is written into."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2

from competition.core.catalogue import OwnName, declare

Context = Mapping[str, Any]
# (work, recipient, **args) -> what the template shows; None: there is nothing to send any more.
Prepare = Callable[..., Context | None]


@dataclass(frozen=True)
class MailTemplate(OwnName):
    """A mail as it was declared. `source` is its text, whose first line is ``Subject: …``."""

    name: str
    prepare: Prepare
    source: jinja2.Template


def mail_template(name: str) -> Callable[[Prepare], Prepare]:
    """Declare a mail. ``plugin.what`` renders ``templates/what.txt`` beside the module; the HTML is
    made of that, so each paragraph is one line there.

    The function returns what the template shows, in a transaction that is committed before the mail
    is sent. `service`, the name of the service, is there in every template.
    """

    def decorate(function: Prepare) -> Prepare:
        def template() -> MailTemplate:
            environment = jinja2.Environment(
                loader=jinja2.PackageLoader(function.__module__.rpartition(".")[0]),
                undefined=jinja2.StrictUndefined,
                # Plain text.
                autoescape=False,
            )
            source = environment.get_template(f"{name.rpartition('.')[2]}.txt")
            return MailTemplate(name, function, source)

        declare(function, MailTemplate, name, template)
        return function

    return decorate
