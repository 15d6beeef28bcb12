"""Declaring mails: what one says, and the text it is written into."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from pyramid.exceptions import ConfigurationError

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
            return MailTemplate(name, function, _source(function.__module__, name))

        declare(function, MailTemplate, name, template)
        return function

    return decorate


def _source(module: str, name: str) -> jinja2.Template:
    """Raises ConfigurationError for a file that is not there, or is no template."""
    package, file = module.rpartition(".")[0], f"{name.rpartition('.')[2]}.txt"
    try:
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader(package),
            undefined=jinja2.StrictUndefined,
            # Plain text.
            autoescape=False,
        )
        return environment.get_template(file)
    # A ValueError says that there is no such folder.
    except (jinja2.TemplateNotFound, ValueError):
        problem = "which is not there"
    except jinja2.TemplateSyntaxError as error:
        problem = f"which is no template: {error}"
    raise ConfigurationError(
        f"The mail {name} ({module}) is written in templates/{file} of {package}, {problem}."
    )
