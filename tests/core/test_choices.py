"""One list of values defines both a check constraint and the choices of a schema."""

from enum import StrEnum
from typing import Literal

import pytest

from competition.core.choices import is_one_of, one_of, values_of
from competition.core.schemas import Choice


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize("choices", [Literal["red", "blue"], Colour, ["red", "blue"]])
def test_a_literal_an_enum_and_a_list_define_the_same_choices(choices):
    assert values_of(choices) == ("red", "blue")
    assert is_one_of("colour", choices) == "colour in ('red', 'blue')"
    assert one_of("colour", choices).name == "colour"
    assert Choice(choices).schema["enum"] == ["red", "blue"]
