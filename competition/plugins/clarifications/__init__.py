"""Clarifications and announcements: candidates ask about a question during the exam, and staff
answer one of them or tell everybody something.

What concerns a candidate is pushed at once to those who are taking the exam. Candidates who have
submitted get a notification. Clients without a socket see from the number `messages` in the clock
of an exam that there is something new. See docs/decisions/0034-clarifications.md.
"""

from pyramid.config import Configurator

REQUIRES = ("sittings",)


def includeme(config: Configurator) -> None:
    config.add_examples(
        question=11,
        text="Is 0 a natural number in question 11?",
        answer="Yes, in this paper 0 is a natural number.",
        status="answered",
        public=True,
        messages=2,
        open=3,
    )
    config.scan()
