"""Declare emails: a function that loads the data, and a template with the text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import OwnName, declare

Context = Mapping[str, Any]
# (work, recipient, **args) -> the variables of the template, or None if there is no longer anything
# to send.
Prepare = Callable[..., Context | None]


@dataclass(frozen=True)
class MailTemplate(OwnName):
    """A declared email. `source` is its text; the first line is ``Subject: …``."""

    name: str
    prepare: Prepare
    source: jinja2.Template


def mail_template(name: str) -> Callable[[Prepare], Prepare]:
    """Declare an email, found when its module is scanned.

    The email ``plugin.what`` renders ``templates/what.txt`` in the folder of the module. The HTML
    is built from the same text, so write each paragraph as one line.

    The decorated function returns the variables of the template. It runs in a transaction that is
    committed before the email is sent. If it returns None, no email is sent. Every template also
    has the variable `service`, the name of the service.
    """

    def decorate(function: Prepare) -> Prepare:
        def template() -> MailTemplate:
            return MailTemplate(name, function, _source(function.__module__, name))

        declare(function, MailTemplate, name, template)
        return function

    return decorate


def _source(module: str, name: str) -> jinja2.Template:
    """The text of an email. Raises ConfigurationError if the file does not exist, or is not a valid
    template."""
    package, file = module.rpartition(".")[0], f"{name.rpartition('.')[2]}.txt"
    try:
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader(package),
            undefined=jinja2.StrictUndefined,
            # The text is plain text, not HTML.
            autoescape=False,
        )
        return environment.get_template(file)
    # Jinja raises a ValueError if there is no such folder.
    except (jinja2.TemplateNotFound, ValueError):
        problem = "which does not exist"
    except jinja2.TemplateSyntaxError as error:
        problem = f"which is not a valid template: {error}"
    raise ConfigurationError(
        f"The text of the email {name} ({module}) is templates/{file} of {package}, {problem}."
    )
