"""`Proof` finds what it should find."""

import pytest

from tests.support.exam_page import Sat, Seen


def seen(reply, answers, *, bar="", after="", here=()):
    return Seen(reply, 0, bar, after, answers, tuple(n + 1 in here for n in range(len(answers))))


@pytest.mark.parametrize(
    ("stored", "shown", "fault"),
    [
        ([(1, "B-")], [seen(2, "B-")], None),
        ([(1, "B-")], [seen(0, "B-", here=[1]), seen(2, "B-")], None),
        # The first reply got lost, so the page calls a stored answer "here only".
        ([(1, "B-"), (2, "BC")], [seen(1, "B-"), seen(1, "BC", here=[2])], None),
        ([(3, "B-")], [seen(2, "B-")], "question 1: B was not stored"),
        # The page has had no reply since the answer was stored.
        ([(1, "--"), (2, "B-")], [seen(1, "B-")], "question 1: B was not stored"),
        ([(1, "B-")], [seen(2, "BC", here=[2], bar="All 2 answers saved at 10:41.")], "C was not"),
        ([(1, "B-"), (3, "A-")], [seen(2, "B-")], "B was called saved. Stored: A-"),
        (
            [(1, "B-")],
            [seen(2, "", after="The league has received your answers to 2 of 2 questions.")],
            "Stored: B-",
        ),
        ([(1, "B-")], [seen(2, "", after="The league submitted your saved answer for you.")], None),
    ],
)
def test_the_proof_finds_answers_that_were_wrongly_called_saved(stored, shown, fault):
    found = "\n".join(Sat(stored, shown).faults())
    assert fault in found if fault else not found
