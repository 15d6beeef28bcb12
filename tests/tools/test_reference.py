"""The reference in docs/reference is written from the code."""

import pytest
from pyramid.paster import get_appsettings

from competition.core.plugins import build
from competition.core.web.endpoint import Endpoint, Options
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY
from tools.page_types.__main__ import NO_SERVERS
from tools.reference import FOLDER, pages
from tools.reference.code import Missing, comments, described
from tools.reference.operating import groups

# The fields of an endpoint that follow from the view and its decorator.
FOLLOWS = {"method", "path", "view", "returns", "parameters"}


@pytest.fixture(scope="module")
def written():
    with pytest.MonkeyPatch.context() as patch:
        for name, value in NO_SERVERS.items():
            patch.setenv(name, value)
        registry = build(get_appsettings(str(DEVELOPMENT_INI))).registry
    yield pages(registry)
    registry.runtime.close()


def test_the_pages_are_those_of_the_code(written):
    stored = {path.name: path.read_text() for path in FOLDER.glob("*.md")}
    assert stored.keys() == written.keys(), "run `make reference`"
    different = [name for name in written if stored[name] != written[name]]
    assert different == [], "run `make reference`"


def test_every_option_of_an_endpoint_is_typed():
    options, fields = Options.__annotations__, Endpoint.__annotations__
    assert options.keys() == fields.keys() - FOLLOWS


def test_a_thing_without_a_description_is_an_error():
    with pytest.raises(Missing, match=r"notes\.kept has no description"):
        described("notes.kept", " ")
    with pytest.raises(Missing, match=r"competition\.a\.b has no comment"):
        groups("[app:main]\n# --- Part\n\ncompetition.a.b = 1\n")


def test_a_comment_describes_the_names_below_it():
    source = "# Of both.\nFIRST = 1\nSECOND = 2\n\nTHIRD = 3\n"
    assert comments(source) == {"FIRST": "Of both."}
    assert comments(source, shared=True) == {"FIRST": "Of both.", "SECOND": "Of both."}


def test_the_site_has_every_page_and_the_index_every_decision():
    named = (REPOSITORY / "mkdocs.yml").read_text()
    index = (REPOSITORY / "docs/decisions/README.md").read_text()
    home = (REPOSITORY / "docs/README.md").read_text()
    for page in (REPOSITORY / "docs").rglob("*.md"):
        name = str(page.relative_to(REPOSITORY / "docs"))
        if page.name == "README.md":
            continue
        if name.startswith("decisions/"):
            assert f"]({page.name})" in index, name
        else:
            assert f": {name}\n" in named, name
            assert f"]({name})" in home, name
