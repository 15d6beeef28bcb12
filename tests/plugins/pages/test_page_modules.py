"""Which modules the pages may import, and where they may name paths of the API."""

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from competition.plugins.pages.modules import read
from tests.support import javascript
from tests.support.repository import REPOSITORY

PLUGINS = REPOSITORY / "competition/plugins"
FRONT_ENDS = ("portal", "console")
# The example of a plugin that adds pages to the console.
EXAMPLE = "certificates"
CERTIFICATES = (
    REPOSITORY / "examples/competition-certificates/competition_certificates/console/static"
)
# Which folders of the shared base each folder of the base may import. The pieces may import all of
# them.
LAYERS = {"vendor": {"vendor"}, "ground": {"ground", "vendor"}, "texts": {"texts", "ground"}}
# The shared modules that use parts of subjects, and the parts. All others know pages only by their
# addresses.
PARTS_OF_SUBJECTS = {
    "joining.js": {"joining/question.js"},
    "leave.js": {"exam/sitting/store.js", "leave/question.js"},
    "seasons.js": {"seasons/calls.js", "seasons/pieces.js"},
    "unsent.js": {"exam/sitting/store.js", "exam/sitting/sitting.js"},
}
CALLS_OF_THE_API = {f"api.{each}" for each in ("get", "post", "put", "patch", "delete")}
# Other functions of the base that take a path of the API. Pages have functions of these names too.
WITH_A_PATH = {"request", "poll", "usePoll", "changed", "upload", "download", "fetched"}


def static(plugin: str) -> Path:
    return CERTIFICATES if plugin == EXAMPLE else PLUGINS / plugin / "static"


def modules(plugin: str) -> Iterator[tuple[str, str]]:
    """The modules of a plugin: their paths below `static`, and their code without comments."""
    folder = static(plugin)
    for file in sorted(folder.rglob("*.js")):
        yield file.relative_to(folder).as_posix(), read(file.read_bytes()).code.decode()


def imports(path: str, text: str) -> set[str]:
    """The paths that a module imports, relative to `competition/plugins/PLUGIN/static`. Paths of
    other plugins begin with the name of the plugin."""
    found = set()
    module = read(text.encode())
    for each in module.imports + module.later:
        target = posixpath.normpath(posixpath.join("plugin/static", posixpath.dirname(path), each))
        found.add(target.removeprefix("plugin/static/"))
    return found


def test_the_base_imports_downwards_only():
    for path, text in modules("pages"):
        layer = path.split("/")[0]
        allowed = LAYERS.get(layer, {"ground", "pieces", "texts", "vendor"})
        assert {each.split("/")[0] for each in imports(path, text)} <= allowed, path


def test_the_sitting_imports_nothing_outside_its_folder():
    """The sitting keeps answers without knowing pages, requests or texts: it gets what it needs as
    arguments. So its tests need no page."""
    folder = "exam/sitting/"
    found = {
        each
        for path, text in modules("portal")
        if path.startswith(folder)
        for each in imports(path, text)
    }
    assert found
    assert all(each.startswith(folder) for each in found), found


@pytest.mark.parametrize("folder", ["competition/plugins", "examples"])
def test_each_module_begins_with_a_comment(folder):
    """The first lines say what a module is for, and what it must not know."""
    files = (file for file in (REPOSITORY / folder).rglob("*.js") if "vendor" not in file.parts)
    begins = {str(file): file.read_text("utf-8").startswith("// ") for file in files}
    assert begins
    assert [file for file, is_comment in begins.items() if not is_comment] == []


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_modules_import_only_the_base_shared_modules_and_their_own_subject(front_end):
    for path, text in modules(front_end):
        subject, _, rest = path.partition("/")
        own = f"{subject}/" if rest else "texts/"
        for each in imports(path, text):
            is_own = each.startswith(own) or each in PARTS_OF_SUBJECTS.get(path, ())
            is_base = re.fullmatch(r"pages/static/(ground|pieces|vendor)/[\w-]+\.js", each)
            # For example words.js, beside the folders of the subjects.
            is_shared = re.fullmatch(r"[\w-]+\.js", each)
            assert is_own or is_base or is_shared, f"{path} imports {each}"


@pytest.mark.parametrize("plugin", (*FRONT_ENDS, EXAMPLE))
def test_a_module_has_at_most_one_page(plugin):
    """One page may have two addresses, such as `/exams/new` and `/exams/:id`."""
    routes = json.loads((static(plugin) / "routes.json").read_text("utf-8"))
    pages = {(each["module"], each["page"]) for each in routes}
    assert sorted({module for module, _ in pages}) == sorted(module for module, _ in pages)


@pytest.mark.parametrize("plugin", (*FRONT_ENDS, EXAMPLE))
def test_requests_import_no_components_and_no_texts(plugin):
    for path, text in modules(plugin):
        if Path(path).name == "calls.js":
            for each in imports(path, text):
                assert not re.search(r"\b(pieces|words)\b", each), f"{path} imports {each}"


def styled(css: str) -> set[str]:
    """The classes that a stylesheet styles everywhere, such as `.clock`. Classes in longer
    selectors are left out, such as those in `.home .clock` and `.clock.late`.
    """
    plain = re.sub(r"\([^()]*\)", "", css)
    preludes = re.findall(r"[^{};@]+(?=\{)", plain)
    parts = (each.strip() for prelude in preludes for each in prelude.split(","))
    return {found[1] for each in parts if (found := re.match(r"\.([\w-]+)(?![\w.-])", each))}


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_stylesheet_of_a_subject_styles_no_other_subject(front_end):
    """Otherwise, a style for one page can change another page that uses a class of the same
    name.
    """
    folder = PLUGINS / front_end / "static"
    looks = {file.parent.name: styled(file.read_text()) for file in folder.glob("*/style.css")}
    for path, text in modules(front_end):
        subject = path.split("/")[0]
        for other, classes in looks.items():
            if other != subject:
                shared = (javascript.classes(text) & classes) - looks.get(subject, set())
                assert shared == set(), f"{path} uses classes of {other}"


@pytest.mark.parametrize("plugin", (*FRONT_ENDS, EXAMPLE))
def test_only_calls_name_paths_of_the_api(plugin):
    for path, text in modules(plugin):
        if Path(path).name != "calls.js":
            for function, texts in javascript.calls(text):
                names_path = function in WITH_A_PATH and any(each.startswith("/") for each in texts)
                assert function not in CALLS_OF_THE_API and not names_path, path


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_no_module_writes_markup_or_styles_or_sends_requests_directly(front_end):
    forbidden = {"innerHTML", "outerHTML", "insertAdjacentHTML", "DOMParser"}
    forbidden |= {"createContextualFragment", "fetch", "XMLHttpRequest"}
    for path, text in modules(front_end):
        # The service worker may use these, because it answers the requests of pages.
        if path != "sw.js":
            assert not javascript.names(text) & forbidden, path
            assert not re.search(r"HTML=|\sstyle=", "\n".join(javascript.markup(text))), path


def catalogues(front_end: str) -> list[Path]:
    """The folders of a front-end that have texts: its own, and those of subjects."""
    static = PLUGINS / front_end / "static"
    return sorted(file.parent.parent for file in static.rglob("texts/en.js"))


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_every_text_is_used(front_end):
    static = PLUGINS / front_end / "static"
    for folder in catalogues(front_end):
        place = folder.relative_to(static).as_posix().removeprefix(".")
        written = {
            each
            for path, text in modules(front_end)
            if path.startswith(place and f"{place}/") and "texts/" not in path
            for each in javascript.strings(text)
        }
        # Some keys are composed: `exams.state.${state}`.
        patterns = [
            re.compile(r"[\w.-]+".join(map(re.escape, each.split(javascript.INSERTED))))
            for each in written
            if re.match(r"[\w-]+\.", each) and javascript.INSERTED in each
        ]
        unused = [
            key
            for key in javascript.catalogue(folder / "texts/en.js")
            if not key.startswith("refused.")
            and key not in written
            and not any(each.fullmatch(key) for each in patterns)
        ]
        assert unused == [], folder


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_no_text_is_in_two_catalogues(front_end):
    keys = [
        key
        for folder in catalogues(front_end)
        for key in javascript.catalogue(folder / "texts/en.js")
    ]
    assert sorted(set(keys)) == sorted(keys)


def texts(name: str) -> Iterator[str]:
    """The texts in all catalogues whose files match this name."""
    for file in sorted(PLUGINS.rglob(f"static/**/texts/{name}")):
        for forms in javascript.catalogue(file).values():
            yield from forms


# Three mistakes in French: a mark without the no-break space that it needs, quotation marks without
# no-break spaces, and a straight apostrophe.
WRONG = re.compile(r"[^\u00a0]:(?=\s|$)|[^\u00a0][;!?»%](?=\W|$)|«[^\u00a0]|\w'\w")


def test_french_texts_have_their_typography():
    assert [each for each in texts("fr.js") if WRONG.search(each)] == []


# Periods without a number, in English and in French.
VAGUE = re.compile(
    r"recently|(?:some|a few|several) (?:days|hours|minutes|seconds|times|weeks)|short time"
    r"|for a while|within seconds|récemment|peu de temps|un temps limité"
    r"|(?:quelques|plusieurs) (?:jours|heures|minutes|secondes|fois|semaines)"
)


def test_texts_name_periods_by_their_number():
    assert [each for each in texts("*.js") if VAGUE.search(each)] == []


READ_ALOUD = re.compile(r"""\b(?:aria-label|title|placeholder|alt)=["']?[^"'\s>]*[A-Za-z]""")
WORD = re.compile(r"[^\W\d_]{2,}")


def fixed_words(code: str) -> list[str]:
    """The words that templates contain, instead of taking them from a catalogue."""
    found = []
    for template in javascript.markup(code):
        found += READ_ALOUD.findall(template)
        found += WORD.findall(re.sub(r"<[^>]*>|&\w+;", " ", template))
    return found


@pytest.mark.parametrize("plugin", ("pages", *FRONT_ENDS))
def test_no_template_contains_a_text(plugin):
    """The views of the test language show this only for buttons and labels. Headings, paragraphs
    and links contain names from the database, which are in no catalogue either.
    """
    found = {path: fixed_words(text) for path, text in modules(plugin) if "vendor/" not in path}
    assert {path: words for path, words in found.items() if words} == {}
    assert sum(len(javascript.markup(text)) for _, text in modules(plugin)) > 20


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('html`<h1 class="big">${t("home")}</h1>`', []),
        ("html`<h1>Home ${t('home')}</h1>`", ["Home"]),
        ("html`${all.map((each) => html`<p>${each} left</p>`)}`", ["left"]),
        ('html`<nav aria-label="Menu">${name}</nav>`', ['aria-label="M']),
        ("html`<nav aria-label=${t('menu')}>·</nav>`", []),
        ('const quote = /["`]/; html`<p>Left</p>`;', ["Left"]),
    ],
)
def test_a_text_in_a_template_is_found(code, words):
    found = fixed_words(code)
    assert [each[: len(word)] for each, word in zip(found, words, strict=True)] == words


SIZE = re.compile(r"var\(--t-\w+\)|inherit|[\d.]+em")


@pytest.mark.parametrize("plugin", ("pages", *FRONT_ENDS))
def test_type_has_only_the_weights_and_sizes_of_the_tokens(plugin):
    for file in sorted((PLUGINS / plugin / "static").rglob("*.css")):
        # The browser scales the text of a chart with its drawing.
        css = re.sub(r"\.chart text \{[^}]*\}", "", file.read_text())
        assert set(re.findall(r"font-weight: ([^;} ]+)", css)) <= {"400", "550", "650"}, file
        sizes = re.findall(r"font-size: ([^;}]+?) ?[;}]", css)
        assert [each for each in sizes if not SIZE.fullmatch(each)] == [], file
