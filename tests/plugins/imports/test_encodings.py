"""Warnings about text files that are read in a wrong encoding."""

import io

import pytest

from competition.core.auth.access import staff
from competition.core.imports import Column, ImportKind, Line, decoded
from competition.core.messages import worded
from competition.plugins.imports.services.reading import files

COLUMNS = [
    Column("first_name", True, ("First name",), "x", ""),
    Column("last_name", True, ("Surname",), "x", ""),
]
NAMES = ImportKind("pupils", staff(), (*COLUMNS,), read=None, check=None, apply=None)


def read(content, form="csv", kind=NAMES):
    return list(files.read(io.BytesIO(content), form, kind, {}).lines)


# Texts in the encodings that they have in files.
OTHERS = [
    *(("cp1254", each) for each in ("Ayşe", "Yıldız", "Şahin", "İlker", "Işık")),
    *(
        ("cp1250", each)
        for each in ("Łukasz", "Michałek", "Paweł", "Małgorzata", "Bożena", "Żaneta")
    ),
    *(("iso8859-2", each) for each in ("Wałęsa", "Wądołowski", "Kaźmierz")),
    *(("cp1256", each) for each in ("محمد", "فاطمة")),
    *(("cp1251", each) for each in ("Иван", "Ольга")),
    *(("cp1253", each) for each in ("Γιώργος",)),
    *(("mac_roman", each) for each in ("Zoé", "Müller", "Hôtel", "Straße", "Voilà")),
    *(("utf-8", each) for each in ("Müller", "MÜLLER", "Ayşe", "Łukasz", "José", "O’Brien")),
    *(("utf-8", each) for each in ("محمد", "Иван", "Zielińska", "Wałęsa")),
]


@pytest.mark.parametrize(("encoding", "name"), OTHERS)
def test_a_name_in_an_unknown_encoding_is_a_warning(encoding, name):
    # The second row is in Windows-1252, so the file is not UTF-8.
    content = b"First name,Surname\nAda," + name.encode(encoding) + b" x\nZo\xeb,M\xfcller\n"
    [first, second] = read(content)
    word = first.cells["last_name"].removesuffix(" x")
    assert [worded(each) for each in first.warnings] == [
        f"Is “{word}” right? The file is not UTF-8, so letters may be wrong. If they are, save the"
        " file as UTF-8 (in Excel: CSV UTF-8), and send it again."
    ]
    assert second.warnings == []


@pytest.mark.parametrize(
    "text",
    [
        *("Zoë Noël, L’Haÿ-les-Roses", "LYCÉE ÉMILE ZOLA « Liberté »", "Cœur créée", "ŒUVRE CRÉÉE"),
        *("François d’Étienne, n° 5", "Héloïse Aïcha Loïc…", "PÉPINIÈRE :", "‹Zoé›"),
        *("Weiß Größe Höß", "MÜLLER-LÜDENSCHEIDT", "„Äußerst“", "Ägypten"),
        *("¿Cómo estás? ¡Hola!", "Núñez Yáñez IBÁÑEZ", "1ª nº 3", "Col·legi"),
        *("João Conceição", "JOÃO CONCEIÇÃO IRMÃ", "Lições", "SÃO"),
        *("Søren Ærø København Ø", "Åse Blåøje ÅNG", "“København Ø”", "Novotný"),
        *("5 cm³ + x²y, ½ + ¼, £5, 20 °C", "a±b, 3×4, § 5", "O’Brien – Smith™", "• one"),
    ],
)
def test_a_text_in_windows_1252_is_no_warning(text):
    content = f'First name,Surname\nZoë,"{text}"\n'.encode("cp1252")
    [line] = read(content)
    assert (line.cells["last_name"], line.warnings) == (text, [])


def test_the_same_characters_in_utf_8_are_no_warning():
    [line] = read("First name,Surname\nAyþe,Sigurðsson\n".encode())
    assert line.warnings == []


@pytest.mark.parametrize(("form", "warned"), [("gift", 1), ("moodle_xml", 0)])
def test_other_formats_have_the_warning_if_their_encoding_has_to_be_found(form, warned):
    def lines(stream):
        yield Line(1, {"text": decoded(stream)})

    kind = ImportKind("x", staff(), (), read=None, check=None, apply=None, readers={form: lines})
    [line] = read("Yıldız".encode("cp1254"), form, kind)
    assert len(line.warnings) == warned
