"""The documentation: its links work, its pictures are used, and the names in it are those on the
screen.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tests.support import javascript
from tests.support.repository import REPOSITORY

PICTURES = REPOSITORY / "docs/pictures"
# The largest total size of the pictures in both languages, in bytes. Everyone who clones the
# repository downloads them.
PICTURES_AT_MOST = 4_000_000
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.+)$", re.M)
# The names of pages, buttons and fields in the guides for organisers and teachers.
NAME = re.compile(r"\*\*(.+?)\*\*", re.S)


def _documents() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    # The other Markdown files are not ours, such as those of vendored libraries.
    return [
        REPOSITORY / name
        for name in listed.stdout.split("\0")
        if name and not name.startswith(("tests/", "competition/"))
    ]


def _links(document: Path) -> list[str]:
    text = CODE.sub("", document.read_text())
    found = [first or second for first, second in LINK.findall(text)]
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def _anchors(document: Path) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    for heading in HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        twins = sum(1 for each in anchors if re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", each))
        anchors.add(f"{anchor}-{twins}" if anchor in anchors else anchor)
    return anchors


@pytest.mark.parametrize(
    "document", _documents(), ids=lambda path: str(path.relative_to(REPOSITORY))
)
def test_the_links_of_a_document_lead_somewhere(document: Path) -> None:
    for link in _links(document):
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), f"{document.name} links to {link}"
        if anchor and target.suffix == ".md":
            assert anchor in _anchors(target), f"{document.name} links to {link}"


def test_each_picture_is_shown_somewhere_and_all_are_small() -> None:
    shown = {
        (document.parent / link).resolve()
        for document in _documents()
        for link in _links(document)
        if link.endswith(".png")
    }
    pictures = set(PICTURES.rglob("*.png"))
    assert {path.name for path in pictures - shown} == set()
    assert sum(path.stat().st_size for path in pictures) < PICTURES_AT_MOST


def _texts(language: str) -> set[str]:
    """All texts of the pages in a language."""
    texts: set[str] = set()
    for plugin in ("pages", "portal", "console"):
        folder = REPOSITORY / "competition/plugins" / plugin / "static"
        for catalogue in folder.rglob(f"texts/{language}.js"):
            for forms in javascript.catalogue(catalogue).values():
                # Texts in French have no-break spaces.
                texts.update(" ".join(form.split()) for form in forms)
    return texts


@pytest.mark.parametrize(
    ("folder", "language", "word"),
    [(".", "en", "bold"), ("fr", "fr", "gras")],
    ids=["English", "French"],
)
@pytest.mark.parametrize("guide", ["organisers.md", "teachers.md"])
def test_the_guides_name_what_is_on_the_screen(
    guide: str, folder: str, language: str, word: str
) -> None:
    text = (REPOSITORY / "docs" / folder / guide).read_text()
    named = {" ".join(name.split()) for name in NAME.findall(text)}
    # "Words in **bold** are on your screen" is a sentence of the guides, not a text of the pages.
    assert named - _texts(language) == {word}


@pytest.mark.parametrize("guide", ["organisers.md", "teachers.md"])
def test_the_french_guides_have_the_headings_and_pictures_of_the_english_ones(guide: str) -> None:
    english, french = ((REPOSITORY / "docs" / name).read_text() for name in (guide, f"fr/{guide}"))
    levels = [re.findall(r"^#+", text, re.M) for text in (english, french)]
    assert levels[0] == levels[1]
    pictures = re.findall(r"pictures/([\w-]+)\.png", english)
    assert re.findall(r"pictures/fr/([\w-]+)\.png", french) == pictures
