"""Messages in the language of the reader: errors, fields and their rules, and the catalogues."""

import ast
import re
from pathlib import Path

import polib
import pytest

import competition
from competition.core.errors import ApiError
from competition.core.messages import Message, joined, language_in, rules, worded
from tests.support.messages import messages_in

PACKAGE = Path(competition.__file__).parent
PLUGINS = sorted(
    each for each in (PACKAGE / "plugins").iterdir() if (each / "__init__.py").exists()
)
PLACEHOLDER = re.compile(r"\$\{\w+\}")
# Folders whose messages are not translated, because they are for operators and developers.
IN_ENGLISH = ("cli", "testing", "rehearsal", "embedded", "parent", "collector")

FRENCH = {"Accept-Language": "fr"}
WRONG = {"email": "no address", "password": "x" * 9}


def core_messages():
    return {**messages_in(PACKAGE / "core"), **messages_in(PACKAGE / "ws")}


def catalogue(folder):
    file = folder / "locale/fr.po"
    return polib.pofile(str(file)) if file.exists() else []


def check_catalogue(folder, texts):
    entries = {entry.msgid: entry for entry in catalogue(folder)}
    missing = {text: place for text, place in texts.items() if text not in entries}
    assert not missing, f"add these to {folder}/locale/fr.po"
    assert not {*entries} - {*texts}, "no code has these messages"
    for text, entry in entries.items():
        assert entry.translated() and not entry.fuzzy, text
        assert {*PLACEHOLDER.findall(text)} == {*PLACEHOLDER.findall(entry.msgstr)}, text


def test_every_message_of_core_is_in_french_and_none_is_unused():
    check_catalogue(PACKAGE / "core", core_messages())


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_every_message_of_a_plugin_is_in_french_and_none_is_unused(folder):
    known = core_messages()
    texts = messages_in(folder)
    check_catalogue(folder, {text: place for text, place in texts.items() if text not in known})


def test_french_has_its_typography():
    for folder in (PACKAGE / "core", *PLUGINS):
        for entry in catalogue(folder):
            assert "'" not in entry.msgstr, entry.msgid
            assert not re.search(r"(?<=[^\u00a0]):(?! *\w*//)(?=\s|$)", entry.msgstr), entry.msgid


def raised_texts(tree):
    """The string literals in a module's ApiErrors and errors of fields."""
    errors = {each.__name__ for each in classes()} | {"ApiError"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            of = getattr(getattr(node.func, "value", None), "id", "")
            if of == "colander" and name == "Invalid":
                yield from node.args[1:]
            elif of == "Invalid" and name == "field":
                yield node.args[1]
            elif name in errors:
                yield from node.args[:1]


def test_no_module_raises_an_error_with_a_text_that_is_no_message():
    plain = []
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE)
        if place.parts[0] not in IN_ENGLISH:
            found = raised_texts(ast.parse(file.read_text("utf-8")))
            plain += [f"{place}:{each.lineno}" for each in found if is_text(each)]
    assert not plain


def is_text(node):
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def shown_texts(tree):
    """The values of a module that users may read: constants, results, and texts of replies and
    notifications."""
    yield from (each.value for each in tree.body if isinstance(each, ast.Assign))
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("Notify", "notify", "_notify"):
                yield from node.args
            elif name != "add_examples":
                yield from (each.value for each in node.keywords if each.arg == "message")


def is_sentence(node):
    """Whether this is a text of several words that begins with a capital letter."""
    return is_text(node) and re.match(r"f?['\"]+[A-Z].* ", ast.unparse(node)) is not None


def test_no_plugin_shows_users_a_text_that_is_no_message():
    # The documents of the plugin `docs` are for developers, and in English.
    documents = PACKAGE / "plugins/docs/document"
    plain = {
        ast.unparse(each)
        for file in (PACKAGE / "plugins").rglob("*.py")
        if file.name != "commands.py" and documents not in file.parents
        for each in shown_texts(ast.parse(file.read_text("utf-8")))
        if is_sentence(each)
    }
    # A value of the API, which does not depend on the language.
    assert plain == {"'Auto Score'"}


def classes(of=ApiError):
    for each in of.__subclasses__():
        yield each
        yield from classes(each)


def test_the_detail_of_every_error_class_is_a_message(app):
    ours = [each for each in classes() if each.__module__.startswith("competition.")]
    assert len(ours) > 30
    assert [each for each in ours if not isinstance(each.detail, Message)] == []


def test_a_message_is_worded_with_its_values():
    message = Message("At most ${max} of ${names}: ${why}", "r", max=1.50, names=["a", 2], why="x")
    assert worded({"a": [message]}) == {"a": ["At most 1.5 of a, 2: x"]}
    inner = Message("${field}: ${message}", field="a", message=Message("Yes."))
    french = {"Yes.": "Oui.", "${field}: ${message}": "${field} : ${message}"}
    assert worded(inner, french.get) == "a : Oui."
    assert (
        worded(joined([Message("Yes."), "No."]), lambda text: french.get(text, text)) == "Oui. No."
    )


def test_rules_have_the_limits_and_no_texts():
    errors = {
        "a": [Message("${max}, ${why}", "too_long", max=8, why=Message("No."))],
        "b": {"0": ["A text of a third-party plugin."]},
    }
    assert rules(errors) == {
        "a": [{"rule": "too_long", "max": 8}],
        "b": {"0": [{"rule": "invalid"}]},
    }


@pytest.mark.parametrize("language", ["fr", "fr-CA", "de, fr;q=0.8, en;q=0.5", "FR"])
def test_an_error_is_in_the_language_that_the_request_asks_for(app, language):
    headers = {"Accept-Language": language}
    reply = app.anonymous.post("/auth/login/", WRONG, headers=headers, status=400, code="invalid")
    message = "Cette adresse e-mail n\u2019est pas valable. Vérifiez son orthographe."
    assert reply.json["detail"] == f"email\u00a0: {message}"
    assert reply.json["errors"] == {"email": [message]}
    assert reply.json["rules"] == {"email": [{"rule": "not_an_email_address"}]}
    assert reply.headers["Content-Language"] == "fr"
    assert "Accept-Language" in reply.headers["Vary"]


@pytest.mark.parametrize("language", [None, "", "de", "*", "x" * 5000, "fr;q=0", "é"])
def test_an_error_is_in_english_without_one_of_our_languages(app, language):
    headers = {} if language is None else {"Accept-Language": language}
    reply = app.anonymous.post("/auth/login/", WRONG, headers=headers, status=400, code="invalid")
    assert reply.body == (
        b'{"detail":"email: This is not a valid email address. Check its spelling.",'
        b'"code":"invalid",'
        b'"errors":{"email":["This is not a valid email address. Check its spelling."]},'
        b'"rules":{"email":[{"rule":"not_an_email_address"}]}}'
    )
    assert "Content-Language" not in reply.headers
    assert "Accept-Language" not in reply.headers.get("Vary", "")


def test_a_client_that_asks_for_english_gets_it(app):
    headers = {"Accept-Language": "en-GB,fr;q=0.9"}
    reply = app.anonymous.get("/nothing/", headers=headers, status=404, code="not_found")
    assert reply.json["detail"] == "Not found. Check the address and the ids."
    assert reply.headers["Content-Language"] == "en"


def test_a_reply_that_is_no_error_does_not_depend_on_the_language(app):
    reply = app.anonymous.get("/registration/", headers=FRENCH, status=200)
    assert "Content-Language" not in reply.headers
    assert "Accept-Language" not in reply.headers.get("Vary", "")


def test_a_confirmation_is_in_the_language_that_the_request_asks_for(app):
    body = {"email": "ada@school.example"}
    reply = app.anonymous.post("/send-email-otp/", body, headers=FRENCH, status=200)
    assert reply.json["message"].startswith("S\u2019il existe un compte correspondant")
    assert reply.headers["Content-Language"] == "fr"
    assert "Accept-Language" in reply.headers["Vary"]
    reply = app.anonymous.post("/send-email-otp/", body, status=200)
    assert reply.json["message"].startswith("If there is a matching account, a code")
    assert "Content-Language" not in reply.headers
    assert "Accept-Language" not in reply.headers.get("Vary", "")


def test_errors_of_pyramid_and_limits_of_fields_are_translated(app):
    reply = app.anonymous.get("/nothing/", headers=FRENCH, status=404, code="not_found")
    assert reply.json["detail"] == "Introuvable. Vérifiez l\u2019adresse et les identifiants."
    body = {"refresh": "x" * 5000}
    reply = app.anonymous.post("/auth/logout/", body, headers=FRENCH, status=400, code="invalid")
    assert reply.json["errors"] == {"refresh": ["Ce champ peut avoir au plus 4096 caractères."]}
    assert reply.json["rules"] == {"refresh": [{"rule": "too_long", "max": 4096}]}
    reply = app.anonymous.post("/auth/logout/", {}, headers=FRENCH, status=400, code="invalid")
    assert reply.json["errors"] == {"refresh": ["Ce champ est obligatoire."]}
    assert reply.json["rules"] == {"refresh": [{"rule": "required"}]}


def test_a_weak_password_names_the_rules(app):
    body = {
        "email": "ada@school.example",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "phone": "+44 20 7946 0000",
        "school": "Hillside",
        "password": "12345678901234",
        "password2": "12345678901234",
    }
    reply = app.anonymous.post("/register/candidate/", body, headers=FRENCH, status=400)
    assert reply.json["code"] == "password_validation_failed"
    assert {"rule": "only_digits"} in reply.json["rules"]["password"]
    assert reply.json["detail"].startswith("Le mot de passe ne peut pas être composé")


def test_an_endless_accept_language_is_ignored():
    assert language_in("de, fr;q=0.5") == "fr"
    assert language_in("fr" + ", de" * 1000) is None
