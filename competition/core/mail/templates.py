"""Declare emails: a function that loads the data, and a template with the text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import jinja2
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import OwnName, declaration
from competition.core.messages import ENGLISH, LANGUAGES, Language

Context = Mapping[str, Any]
# (work, recipient, **args) -> the variables of the template, or None if there is no longer anything
# to send.
Prepare = Callable[..., Context | None]


@dataclass(frozen=True)
class MailTemplate(OwnName):
    """A declared email. `prepare` returns the variables of its text. `texts` has the text in each
    language, at least in English. The first line of a text is ``Subject: …``. With `shared`, emails
    with the same arguments have the same text for all recipients who have the same language and
    kind of account (candidate or staff)."""

    name: str
    prepare: Prepare
    texts: Mapping[Language, jinja2.Template]
    shared: bool = False

    def language_for(self, language: str) -> Language:
        """The language of the text for a recipient who reads `language`: English if the plugin has
        no text in that language."""
        return next((each for each in self.texts if each == language), ENGLISH)


def mail_template(name: str, *, shared: bool = False) -> Callable[[Prepare], Prepare]:
    """Declare an email. A scan of the decorated function's module finds it.

    The email ``plugin.what`` renders ``templates/what.txt`` in the folder of the module or, for a
    recipient who reads French, ``templates/what.fr.txt`` if it exists. The HTML is built from the
    same text, so write each paragraph as one line.

    The decorated function returns the variables of the template. A `Message` among them is
    translated into the language of the text. The function runs in a transaction that
    is committed before the email is sent. If it returns None, no email is sent. Every template also
    has the variable `service`, the name of the service, and the function `link`:
    ``link("results")`` is the URL of the page with this subject (`competition.core.mail.links`), or
    None if no enabled front-end has such a page for the recipient.

    With `shared`, the text depends only on the arguments, and on the language of the recipient and
    the kind of their account. It is then rendered once for many emails: the function is called only
    for the first of them.
    """
    return declaration(
        MailTemplate,
        name,
        lambda prepare: MailTemplate(name, prepare, _texts(prepare.__module__, name), shared),
    )


def _texts(module: str, name: str) -> dict[Language, jinja2.Template]:
    """The texts of an email by language. Raises ConfigurationError if the English text is missing,
    or a text is not a valid template."""
    package, what = module.rpartition(".")[0], name.rpartition(".")[2]
    texts: dict[Language, jinja2.Template] = {ENGLISH: _read(package, f"{what}.txt", module, name)}
    for language in LANGUAGES:
        file = f"{what}.{language}.txt"
        if (resources.files(package) / "templates" / file).is_file():
            texts[language] = _read(package, file, module, name)
    return texts


@cache
def _environment(package: str) -> jinja2.Environment:
    """Jinja's environment for the templates of a package. It caches compiled templates."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        undefined=jinja2.StrictUndefined,
        # The text is plain text, not HTML.
        autoescape=False,
    )


def _read(package: str, file: str, module: str, name: str) -> jinja2.Template:
    try:
        return _environment(package).get_template(file)
    # Jinja raises a ValueError if there is no such folder.
    except (jinja2.TemplateNotFound, ValueError):
        problem = "which does not exist"
    except jinja2.TemplateSyntaxError as error:
        problem = f"which is not a valid template: {error}"
    raise ConfigurationError(
        f"The text of the email {name} ({module}) is templates/{file} of {package}, {problem}."
    )
