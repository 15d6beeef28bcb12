"""The files, documents and configuration of the pages."""

import gzip
import io
import json
import re
from dataclasses import replace
from html import unescape

import brotli
import pytest
from PIL import Image
from pyramid.exceptions import ConfigurationError
from webob import Request

from competition.core.storage.backends import make_storage
from competition.core.storage.contract import Storage
from competition.plugins.pages.front_ends import Files, FrontEnd, PageModule
from competition.plugins.pages.release import Release
from competition.plugins.pages.serving import BASE
from tests.support import javascript
from tests.support.repository import REPOSITORY
from tests.support.views import PREFIXES, VIEWS

EXAMPLE = REPOSITORY / "examples/competition-certificates/competition_certificates/console/static"
PLUGINS = REPOSITORY / "competition/plugins"
# Settings that pages show. Tests share one service with them.
OLYMPIAD = {
    "competition.name": "Olympiade",
    "competition.pages.languages": "fr en",
    "competition.pages.time_zone": "Africa/Lagos",
    "competition.pages.sockets": "wss://push.league.example:8443/v1/ws/",
}
ADDRESS = re.compile(r'(?:href|src)="(/static/[0-9a-f]+/[^"]+)"')


def config_of(app):
    return app.http.get("/pages/config.json", status=200).json


def test_a_document_loads_only_files_of_the_release(app):
    for path in ("/", "/console/"):
        page = app.http.get(path, status=200)
        links = ADDRESS.findall(page.text)
        assert f"/static/{config_of(app)['release']}/pages/static/icon.svg" in links
        for link in links:
            file = app.http.get(link, status=200)
            assert file.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_the_document_of_a_front_end_is_written_once(app):
    """Also for the reply to an address that does not exist."""
    site = app.http.app.registry.pages
    for front_end in app.runtime.catalogue[FrontEnd].values():
        assert site.shell(front_end) is site.shell(front_end)


@pytest.mark.parametrize(
    ("path", "front_end"),
    [
        *[("/", "portal"), ("/exams/7", "portal"), ("/boards/screening/1/", "portal")],
        *[("/console", "console"), ("/console/", "console"), ("/console/exams/7/day", "console")],
    ],
)
def test_every_address_of_a_front_end_returns_its_document(app, path, front_end):
    page = app.http.get(path, status=200)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f"/{front_end}/static/main.js" in page.text
    assert page.text.count("<script") == 1
    assert "support@league.example" in page.text


@pytest.mark.parametrize(
    "path",
    [
        *["/v1", "/v1/nothing/", "/static/", "/favicon.ico", "/console/nothing.js"],
        *["/static/0123456789abcdef/portal/static/main.js", "/static/x/y.js"],
    ],
)
def test_an_address_that_is_no_page_is_not_found(app, path):
    assert app.http.get(path, status=404).json["code"] == "not_found"


def test_a_page_can_only_be_read(app):
    assert app.http.post("/exams/7/", status=404).json["code"] == "not_found"


def test_a_document_has_the_policies_of_its_front_end(app_with):
    service = app_with(OLYMPIAD)
    portal, console = service.http.get("/"), service.http.get("/console/")
    for page in (portal, console):
        assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "camera=()" in page.headers["Permissions-Policy"]
        assert "screen-wake-lock=(self)" in page.headers["Permissions-Policy"]
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["Referrer-Policy"] == "no-referrer"
    assert portal.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
        " img-src 'self' blob:; connect-src 'self' wss://push.league.example:8443;"
        " worker-src 'self'; manifest-src 'self'; frame-src 'none'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
        " trusted-types pages"
    )
    assert "frame-src blob:;" in console.headers["Content-Security-Policy"]


def test_only_the_console_loads_files_from_the_bucket(app_with):
    service = app_with(
        {
            "competition.storage.s3_bucket": "documents",
            "competition.storage.s3_endpoint_url": "https://files.example",
            "competition.storage.s3_access_key": "someone",
            "competition.storage.s3_secret_key": "secret",
        }
    )
    # Use the storage of the settings, because tests store files in a folder by default.
    service.runtime.provide(Storage, make_storage(service.runtime.settings))
    assert config_of(service)["files_origin"] == "https://files.example"
    policy = service.http.get("/console/").headers["Content-Security-Policy"]
    assert "img-src 'self' blob: https://files.example;" in policy
    assert "files.example" not in service.http.get("/").headers["Content-Security-Policy"]


def test_documents_and_configuration_are_revalidated_on_each_load(app):
    for path in ("/", "/console/", "/sw.js", "/app.webmanifest", "/pages/config.json"):
        reply = app.http.get(path, status=200)
        assert reply.headers["Cache-Control"] == "no-cache"
        again = app.http.get(path, headers={"If-None-Match": reply.headers["ETag"]}, status=304)
        assert again.body == b""


def test_a_file_is_compressed_for_browsers_that_accept_it(app):
    address = f"/static/{config_of(app)['release']}/pages/static/vendor/preact.js"
    plain = app.http.get(address, status=200)
    assert plain.headers["Content-Type"] == "text/javascript; charset=utf-8"
    for accepted, coding, unpack in (
        ("gzip, deflate", "gzip", gzip.decompress),
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
    ):
        for path in (address, "/exams/7", "/pages/config.json"):
            plain = app.http.get(path, status=200)
            # WebTest would decompress the response.
            request = Request.blank(path, headers={"Accept-Encoding": accepted})
            packed = request.get_response(app.http.app)
            assert packed.headers["Content-Encoding"] == coding
            assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
            assert packed.headers.get("ETag") is None or packed.etag != plain.etag
            assert unpack(packed.body) == plain.body
    font = app.http.get(address.replace("preact.js", "math.woff2"), status=200)
    assert font.headers["Content-Type"] == "font/woff2"
    app.http.get(address.replace("preact.js", "preact.d.ts"), status=404)


def test_the_service_worker_lists_the_files_of_its_release(app):
    worker = app.http.get("/sw.js", status=200)
    assert worker.headers["Content-Type"] == "text/javascript; charset=utf-8"
    line = worker.text.splitlines()[0]
    release = json.loads(line.removeprefix("const RELEASE = ").removesuffix(";"))
    assert release["hash"] == config_of(app)["release"]
    for address in release["files"]:
        app.http.get(address, status=200)


def test_the_manifest_names_the_league(app):
    manifest = json.loads(app.http.get("/app.webmanifest", status=200).body)
    assert manifest["name"] == app.runtime.service.name
    assert (manifest["id"], manifest["start_url"]) == ("/", "/")
    drawn = set()
    for icon in manifest["icons"]:
        file = app.http.get(icon["src"], status=200)
        assert file.content_type == icon["type"]
        if icon["type"] == "image/png":
            width, height = Image.open(io.BytesIO(file.body)).size
            assert icon["sizes"] == f"{width}x{height}"
            drawn.add((width, icon.get("purpose", "any")))
    assert drawn == {(192, "any"), (512, "any"), (512, "maskable")}


def test_the_configuration_says_what_pages_need(app):
    config = config_of(app)
    assert config["support_email"] == "support@league.example"
    assert config["passwords"] == {"shortest": 8, "longest": 128}
    assert config["files"]["face_id"]["largest_bytes"] == 5 * 1024 * 1024
    assert "application/pdf" in config["files"]["id_card"]["types"]
    # Two operations have a field `file`.
    assert "image/png" in config["files"]["file"]["types"]
    assert config["files"]["import"]["largest_bytes"] == 10 * 1024 * 1024
    assert {"console", "portal", "questions"} <= set(config["plugins"])
    assert config["sockets"] == "wss://league.example/v1/ws/notifications/"
    assert config["files_origin"] is None
    assert set(config["modules"]) == {"console", "portal"}


def test_texts_can_name_the_value_of_each_setting_that_a_page_reads(app_with):
    settings = config_of(app_with({"competition.appeals.days": "3"}))["settings"]
    assert settings["appeals.days"] == 3
    modules = [each.read_text() for each in PLUGINS.glob("*/static/**/*.js")]
    calls = [each for text in modules for each in javascript.calls(text)]
    read = {text for function, texts in calls if function == "settingOf" for text in texts}
    assert read
    assert read <= set(settings), "Declare these settings with on_pages=True."


def test_the_name_the_languages_and_the_time_zone_of_the_pages_are_settings(app_with):
    service = app_with(OLYMPIAD)
    config = config_of(service)
    assert (config["name"], config["languages"]) == ("Olympiade", ["fr", "en"])
    assert config["time_zone"] == "Africa/Lagos"
    # If a browser prefers none of the languages, the visitor gets the first one.
    page = service.http.get("/", headers={"Accept-Language": "de"}, status=200).text
    assert '<html lang="fr"' in page and "Olympiade" in page


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "/etc/passwd"])
def test_a_time_zone_that_does_not_exist_stops_the_start(app_with, name):
    with pytest.raises(Exception, match=r"competition\.pages\.time_zone"):
        app_with({"competition.pages.time_zone": name})


def test_without_the_portal_the_page_for_developers_is_at_the_root(app_with, without):
    service = app_with(without("portal"))
    assert "docs/swagger/" in service.http.get("/", status=200).text
    service.http.get("/developers/", status=404)
    service.http.get("/console/", status=200)


def test_without_the_console_its_addresses_are_not_found(app_with, without):
    addresses = ("/console", "/console/", "/console/exams/7/day")
    service = app_with(without("console", "portal"))
    for path in addresses:
        assert service.http.get(path, status=404).json["code"] == "not_found"
    # With the portal, its page says that the address does not exist.
    service = app_with(without("console"))
    for path in addresses:
        page = service.http.get(path, status=404).text
        assert "/portal/static/main.js" in page
        assert "/console/static/" not in page


def test_an_address_without_a_page_returns_the_document_as_not_found(app):
    for path in ("/nonsense", "/results/7/nonsense", "/console/nonsense", "/console/boards/7"):
        reply = app.http.get(path, status=404)
        assert "/static/main.js" in reply.text
        app.http.get(path, headers={"If-None-Match": reply.headers["ETag"]}, status=404)


@pytest.mark.parametrize("front_end", VIEWS)
def test_every_page_has_an_address_that_is_found(app, front_end):
    for path in VIEWS[front_end].values():
        below = re.sub(r":\w+", "7", path).removeprefix("/")
        for address in (PREFIXES[front_end] + below, f"{PREFIXES[front_end]}{below}/"):
            app.http.get(address, status=200)


def test_a_development_service_names_the_address_of_its_socket_process(app_with):
    development = {"competition.environment": "development", "competition.public_url": ""}
    service = app_with({**development, "competition.ws.port": "7001"})
    assert config_of(service)["sockets"] == "ws://127.0.0.1:7001/v1/ws/notifications/"


# Tests of a release whose files the test writes.


@pytest.fixture
def write(tmp_path):
    def write(plugin, **files):
        folder = tmp_path / plugin
        for name, text in files.items():
            path = folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Files(plugin, folder)

    return write


def front_end(files, routes=None):
    return FrontEnd(
        "console", "/console/", files, "main.js", "sw.js", None, False, False, routes=routes
    )


def links(release, console):
    shell = release.shell(console, name="A & B", languages=["fr"], support="a&b@league.example")
    assert '<html lang="fr">' in shell and "Charger à nouveau" in shell
    assert shell.count("a&amp;b@league.example") == 2
    assert "<title>A &amp; B</title>" in shell
    return re.findall(r'<link rel="(\w+)" href="/static/\w+/([^"]+)">', shell)


def test_the_document_preloads_every_module_that_the_first_one_imports(write):
    base = write("pages", ground__html_js="import{h}from'../vendor/x.js';", vendor__x_js="")
    console = front_end(
        write(
            "console",
            main_js="import {\n  html,\n} from '../../pages/static/ground/html.js';\n"
            "export * from \"./routes.js\";\nimport './one.js'; import('./later.js');\n"
            "// import './never.js'\nexport const from = 'nowhere';\n"
            "/** @import {X} from './types.js' */",
            routes_js="import './one.js'",
            one_js="",
            later_js="",
            style_css="a { top: 0 }",
            people__style_css="/* Why. */\nb { top: 1px }",
            boards__style_css="c {\n  top: 2px\n}",
        )
    )
    module = PageModule("console", write("notes", pages_js="", own_css=""), "pages.js", "own.css")
    release = Release(base, [console], [module])
    assert links(release, console) == [
        ("stylesheet", "pages/static/style/all.css"),
        ("stylesheet", "console/static/all.css"),
        ("stylesheet", "notes/static/own.css"),
        ("modulepreload", "console/static/main.js"),
        ("modulepreload", "pages/static/ground/html.js"),
        ("modulepreload", "console/static/routes.js"),
        ("modulepreload", "console/static/one.js"),
        ("modulepreload", "pages/static/vendor/x.js"),
    ]
    assert release.file("console/static/all.css").content == b"a{top:0}c{top:2px}b{top:1px}"
    assert release.modules() == {"console": [f"/static/{release.hash}/notes/static/pages.js"]}


def test_a_module_that_imports_a_missing_one_stops_the_start(write):
    base = write("pages", x_js="")
    for text in ("import './gone.js'", "import { h } from 'preact'"):
        console = front_end(write("console", main_js=text))
        with pytest.raises(ConfigurationError, match=r"console/static/main\.js imports"):
            links(Release(base, [console], []), console)


def test_a_module_that_cannot_be_read_stops_the_start(write):
    """Also one that no other imports at once."""
    console = front_end(write("console", main_js="", later_js="const = 1;"))
    with pytest.raises(
        ConfigurationError, match=r"^console/static/later\.js: line 1 is not valid Java"
    ):
        Release(write("pages"), [console], [])


ROUTES = """[
  { "path": "/", "module": "home/home.js", "page": "Home" },
  { "path": "/exams/:id", "module": "exam.js", "page": "Exam", "open": true, "stays": true }
]"""


def test_the_document_declares_the_routes_of_the_front_end_and_of_other_plugins(write):
    files = write(
        "console",
        main_js="",
        home__home_js="export const Home = 1;",
        exam_js="export function Exam() {}",
        routes_json=ROUTES,
    )
    console = front_end(files, "routes.json")
    notes = write(
        "notes",
        pages_js="",
        note_js="export class Note {}",
        own__routes_json='[{ "path": "/notes", "module": "../note.js", "page": "Note" }]',
    )
    module = PageModule("console", notes, "pages.js", routes="own/routes.json")
    other = PageModule("portal", notes, "pages.js", routes="own/routes.json")
    release = Release(write("pages"), [console], [module])
    shell = release.shell(console, name="A", languages=["en"], support="a@league.example")
    [declared] = re.findall(r"""<div id="page" data-routes='([^']+)'>""", shell)
    here = f"/static/{release.hash}"
    assert json.loads(unescape(declared)) == [
        {"path": "/", "module": f"{here}/console/static/home/home.js", "page": "Home"},
        {
            **{"path": "/exams/:id", "module": f"{here}/console/static/exam.js", "page": "Exam"},
            **{"open": True, "stays": True},
        },
        {"path": "/notes", "module": f"{here}/notes/static/note.js", "page": "Note"},
    ]
    for path in ("", "exams/7", "exams/7/", "notes"):
        assert release.has_page(console, path), path
    for path in ("exams", "exams/7/8", "note"):
        assert not release.has_page(console, path), path
    without = Release(write("pages"), [console], [other])
    assert not without.has_page(console, "notes")


def two(*paths):
    return json.dumps([{"path": each, "module": "a.js", "page": "A"} for each in paths])


@pytest.mark.parametrize(
    ("routes", "problem"),
    [
        ("[", "is not a list of routes"),
        ('[{ "path": "/" }]', "is not a list of routes: .*module"),
        ('[{ "path": "/", "module": "a.js", "page": "A", "opens": true }]', "opens"),
        ('[{ "path": "a", "module": "a.js", "page": "A" }]', "'a' must begin with a slash"),
        (
            '[{ "path": "/", "module": "b.js", "page": "A" }]',
            r"names 'b\.js', which does not exist",
        ),
        ('[{ "path": "/", "module": "a.js", "page": "B" }]', r"a\.js exports no 'B'"),
        (
            '[{ "path": "/", "module": "a.js", "page": "A" },'
            ' { "page": "A", "module": "a.js", "path": "/" }]',
            "console has two pages at '/'",
        ),
        (two("/x/:id", "/x/:other"), "console has two pages at '/x/:other'"),
        (two("/x", "/x/"), "console has two pages at '/x/'"),
        ('[{ "path": 7, "module": "a.js", "page": "A" }]', "routes.json is .* 'path' can't be 7"),
        ('[{ "path": "/", "module": 7, "page": "A" }]', "routes.json is .* 'module' can't be 7"),
        ('[{ "path": "/", "module": "a.js", "page": "A", "open": "no" }]', "'open' can't be 'no'"),
        ('[{ "path": "/", "module": "a.js", "page": "D" }]', r"a\.js exports no 'D'"),
        ('[{ "path": "/", "module": "far.js", "page": "F" }]', r"near\.js imports '\./gone\.js'"),
        ('[{ "path": "/", "module": "words.js", "page": "t" }]', r"imports '\./texts/en\.js'"),
    ],
)
def test_routes_that_name_no_page_stop_the_start(write, routes, problem):
    files = write(
        "console",
        main_js="",
        a_js="export const A = 1; export default function D() {}",
        far_js="export * from './near.js'; export const F = 1;",
        near_js="import './gone.js';",
        words_js="export const t = { en: () => import('./texts/en.js') };",
        routes_json=routes,
    )
    with pytest.raises(ConfigurationError, match=problem):
        Release(write("pages"), [front_end(files, "routes.json")], [])


def test_a_word_and_a_parameter_of_this_name_are_two_pages(write):
    routes = two("/x/", "/:x/all")
    files = write("console", main_js="", a_js="export const A = 1;", routes_json=routes)
    console = front_end(files, "routes.json")
    release = Release(write("pages"), [console], [])
    for path in ("x", "x/", "7/all"):
        assert release.has_page(console, path), path


def test_an_added_module_that_imports_a_missing_one_stops_the_start(write):
    """Also in a front-end without a service worker."""
    console = replace(front_end(write("console", main_js="")), worker=None)
    added = PageModule("console", write("notes", pages_js="import './gone.js';"), "pages.js")
    with pytest.raises(ConfigurationError, match=r"notes/static/pages\.js imports '\./gone\.js'"):
        Release(write("pages"), [console], [added])


def test_the_service_worker_lists_what_modules_of_other_plugins_load(write):
    certificates = Files("certificates_console", EXAMPLE)
    portal = front_end(write("portal", main_js="", sw_js=""))
    modules = [
        PageModule("console", certificates, "pages.js"),
        PageModule("other", write("other", pages_js=""), "pages.js"),
    ]
    worker = Release(BASE, [portal], modules).worker(portal).decode()
    for name in ("pages.js", "words.js", "texts/en.js", "texts/fr.js"):
        assert f"/{certificates.path(name)}" in worker
    assert "/other/static/pages.js" not in worker


def test_a_changed_file_changes_all_addresses(write):
    base = write("pages", x_js="")
    console = front_end(write("console", main_js="", other_js="1"))
    before = Release(base, [console], [])
    assert before.is_current
    write("console", other_js="2")
    assert not before.is_current
    assert Release(base, [console], []).hash != before.hash


def test_modules_are_served_without_comments_and_keep_their_lines(write):
    code = "const a = '/*', // three\n  b = '//';\n"
    text = f"// One.\n/**\n * Two.\n */\n{code}  /** @type {{X}} */\n/** @type {{Y}} */ (use)(a);\n"
    left = "\n\n\n\nconst a = '/*',\n  b = '//';\n\n(use)(a);\n"
    base = write("pages", x_js=text, vendor__x_js=text, style__x_css=text)
    release = Release(base, [], [])
    assert release.file("pages/static/x.js").content.decode() == left
    # Comments in libraries name their licences, so they stay.
    for name in ("vendor/x.js", "style/x.css"):
        assert release.file(f"pages/static/{name}").content.decode() == text


# Functions that turn text into HTML, as names or in markup, and markup that the policy of the pages
# rejects.
SINKS = {"innerHTML", "outerHTML", "insertAdjacentHTML", "DOMParser", "createContextualFragment"}
SINKS |= {"createPolicy", "document.write", "dangerouslySetInnerHTML"}
STYLE = re.compile(r"<style|\sstyle=")
ALLOWED = {("markup.js", "createPolicy"), ("maths.js", "dangerouslySetInnerHTML")}


def sinks(code):
    called = {function for function, _ in javascript.calls(code)}
    texts = "\n".join(javascript.strings(code))
    named = {each for each in SINKS if each in texts} | SINKS & (javascript.names(code) | called)
    return named.union(STYLE.findall(texts))


def test_only_one_module_turns_text_into_html():
    found = {
        (file.name, sink)
        for plugin in ("pages", "portal", "console")
        for file in (BASE.folder.parents[1] / plugin).glob("static/**/*.js")
        if file.parent.name != "vendor"
        for sink in sinks(file.read_text())
    }
    assert found == ALLOWED
