import pytest

from competition.core.texts import most_marks, name_key, stored_form


@pytest.mark.parametrize(
    "name",
    [
        "Lyce\u0301e d'Ormesson",
        "Lycée d\u2019Ormesson",
        "Lycée d\u02bcOrmesson",
        "LYCÉE D'ORMESSON",
        "  Lycée \u00a0\u2003d'Ormesson\u3000",
        "Lyc\u00adée\u2060 d'Ormesson",
    ],
)
def test_names_that_look_the_same_have_one_key(name):
    assert name_key(name) == name_key("Lycée d'Ormesson")


def test_the_key_ignores_case_as_unicode_does():
    assert name_key("GAUSS-STRASSE") == name_key("Gauß-Straße")
    assert name_key("ΣΟΦΟΣ") == name_key("σοφος")
    assert name_key("J\u030c") == name_key("ǰ")


def test_names_with_other_letters_have_other_keys():
    names = ["Ecole d'Ulm", "École d'Ulm", "Ecole d Ulm", "Ecole dUlm", "Ecole d'Ulm 2"]
    assert len({*map(name_key, names)}) == len(names)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n",
        "\u3164",
        "\u2800",
        "\u115f\u1160",
        "\uffa0",
        "\u200b\u200c\u200d\u2060\ufeff",
        "\u00ad \u034f\ufe0f",
        "\u2800\u2028\u3164",
        "\U000e0041",
    ],
)
def test_a_text_that_shows_nothing_is_empty(text):
    assert stored_form(text) == stored_form(text, lines=True) == ""


def test_a_text_is_stored_in_nfc_and_a_line_has_single_spaces():
    assert stored_form(" Ngu\u0303gi\u0303 \u00a0\u2003wa\u2028Thiong'o ") == "Ngũgĩ wa Thiong'o"
    assert stored_form("e\u0301  x\n\ty\u2029z", lines=True) == "é  x\n\ty\nz"
    # The dots of this word need an invisible character.
    assert stored_form("می\u200cشود") == "می\u200cشود"


def test_marks_on_a_character_are_counted():
    assert most_marks("Zal" + "\u0301" * 9 + "go\u0301") == 9
    assert most_marks("a" + "\u0301\u034f\u200d" * 12) == 12
    assert most_marks("שָׁלוֹם, ཧཱུྃ, Ngũgĩ, €—“x”") <= 3
