"""The smallest plugin."""

from typing import TypedDict

from pyramid.config import Configurator

from competition.core.auth.access import PUBLIC
from competition.core.web.request import Request
from competition.core.web.service import Service

single = Service("/single/")


class Answer(TypedDict):
    answer: int


@single.get(access=PUBLIC)
def answer(request: Request) -> Answer:
    """Answer."""
    return Answer(answer=42)


def includeme(config: Configurator) -> None:
    config.scan(__name__)
