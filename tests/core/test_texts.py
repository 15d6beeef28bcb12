import pytest

from competition.core.texts import email_form, most_marks, name_key, stored_form


@pytest.mark.parametrize(
    "name",
    [
        "Lyce\u0301e d'Ormesson",
        "Lycée d\u2019Ormesson",
        "Lycée d\u02bcOrmesson",
        "LYCÉE D'ORMESSON",
        "  Lycée \u00a0\u2003d'Ormesson\u3000",
        "Lyc\u00adée\u2060 d'Ormesson",
        "Lycée d\u00b4Ormesson",
        "Lycée d`Ormesson",
        "Lycée d\u02bbOrmesson",
        "Lycée d\u201bOrmesson",
        "Lycée\u2800d\ua78cOrmesson",
        "Lycée\u3164 d\u02b9Ormesson",
    ],
)
def test_names_that_look_the_same_have_one_key(name):
    assert name_key(name) == name_key("Lycée d'Ormesson")


def test_the_key_ignores_case_as_unicode_does():
    assert name_key("GAUSS-STRASSE") == name_key("Gauß-Straße")
    assert name_key("ΣΟΦΟΣ") == name_key("σοφος")
    assert name_key("J\u030c") == name_key("ǰ")


@pytest.mark.parametrize(
    "names",
    [
        ("Fatih Lisesi", "FATİH LİSESİ", "FATIH LISESI", "FATI\u0307H LI\u0307SESI\u0307"),
        ("Iş\u0131k Okulu", "IŞIK OKULU", "\u0131ş\u0131k okulu", "işik okulu"),
        ("Sí", "SÍ", "S\u0131\u0301"),
    ],
)
def test_the_four_letters_i_of_turkish_are_one_in_a_key(names):
    assert len({*map(name_key, names)}) == 1


def test_a_key_does_not_distinguish_dashes():
    dashes = "-\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
    assert {name_key(f"St. Mary's {each} North") for each in dashes} == {"st. mary's - north"}


def test_a_key_does_not_distinguish_quotation_marks():
    names = ('École "Les Pins"', "École \u201cLes Pins\u201d", "École \u201eLes Pins\u201f")
    assert len({*map(name_key, names)}) == 1
    assert name_key('צה"ל') == name_key("צה\u05f4ל")


def test_romanian_letters_with_a_comma_or_a_cedilla_are_one_in_a_key():
    names = ("Școala Țăndărei", "\u015ecoala \u0162ăndărei", "S\u0326COALA T\u0327ĂNDĂREI")
    assert len({*map(name_key, names)}) == 1


@pytest.mark.parametrize("name", ["FATİH LİSESİ \u2013 Iş\u0131k", "J\u030c", "GAUSS-STRASSE"])
def test_the_key_of_a_key_is_the_key(name):
    assert name_key(name_key(name)) == name_key(name)


def test_an_email_address_in_turkish_capitals_is_that_in_small_letters():
    assert email_form("İLKER@OKUL.EXAMPLE") == email_form("I\u0307lker@okul.example")
    assert email_form("İlker@İzmir.example") == "ilker@izmir.example"


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
