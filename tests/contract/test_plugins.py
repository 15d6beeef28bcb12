"""Plugins can be disabled, and third-party plugins can be added."""

import sys

import click
import pytest
from click.testing import CliRunner
from pyramid.exceptions import ConfigurationError
from sqlalchemy import select

from competition.core import flags, plugins, renamed
from competition.core.audit import AuditEntry
from competition.core.auth.access import Permission
from competition.core.catalogue import Catalogue
from competition.core.errors import NotFound
from competition.core.flags import FlagDefinition
from competition.core.jobs.housekeeping import Retention
from competition.core.jobs.tasks import Task
from competition.core.jobs.ticks import Ticks
from competition.core.mail.templates import MailTemplate
from competition.core.messages import Translations
from competition.core.monitoring.readiness import ReadinessCheck
from competition.core.plugins import Plugin, build, installed, switched_on
from competition.core.push.feeds import Feed
from competition.core.settings import SettingsError
from competition.core.slots import Field, Slot
from competition.core.users.personal_data import PersonalData
from competition.core.web.counting import Ceiling
from competition.core.web.service import endpoints
from competition.core.work import begin
from competition.plugins.docs.document import glossary
from competition.plugins.docs.document.served import describe
from competition.testing.requirements import check_requirements
from competition.testing.service import text_of

PLUGINS = sorted(installed())


def test_without_any_plugin_the_service_starts(app_with):
    service = app_with({"competition.plugins": ""})
    service.anonymous.get("/health/", status=200)
    service.anonymous.get("/docs/spec/", status=404, code="not_found")
    assert service.run_jobs() == 0


def test_a_process_that_answers_no_requests_has_everything_but_endpoints(base_settings):
    whole, lean = (build(base_settings, has_endpoints=each).registry for each in (True, False))
    assert all(each.view.__module__.startswith("competition.core.") for each in endpoints(lean))
    for kind in (Task, MailTemplate, PersonalData, Retention, Field, Feed, FlagDefinition):
        assert [*lean.runtime.catalogue[kind]] == [*whole.runtime.catalogue[kind]]


def test_settings_of_a_disabled_plugin_are_ignored(base_settings):
    settings = {"competition.plugins": "docs", "competition.sittings.grace_minutes": "1"}
    loaded, on = plugins.load_settings({**base_settings, **settings})
    assert [each.name for each in on] == ["docs"]
    assert "SittingSettings" not in {section.__name__ for section in loaded.sections}


# Plugins that can't be disabled


def refusal(base_settings, names):
    with pytest.raises(SettingsError) as refused:
        build({**base_settings, "competition.plugins": names})
    return str(refused.value)


def test_an_unknown_plugin_stops_the_start(base_settings):
    message = refusal(base_settings, "accounts nonsense")
    assert "competition.plugins: there is no plugin 'nonsense'" in message
    assert ", ".join(PLUGINS) in message


@pytest.mark.parametrize(("name", "instead"), renamed.PLUGINS.items())
def test_the_name_of_a_merged_plugin_stops_the_start(base_settings, name, instead):
    message = refusal(base_settings, f"accounts {name}")
    assert f"{name} is a part of the plugin {instead} now: write {instead} instead" in message
    assert instead in PLUGINS


def test_a_missing_requirement_stops_the_start(base_settings):
    message = refusal(base_settings, "leaderboard")
    assert "leaderboard requires scores, which is not enabled" in message


def test_all_errors_are_reported_together(base_settings):
    message = refusal(base_settings, "leaderboard exams nonsense")
    assert "nonsense" in message
    assert "exams requires questions" in message


def test_the_order_of_plugins_in_the_file_does_not_matter():
    names = switched_on(["sittings", "exams", "questions", "exams"], installed())
    assert [each.name for each in names] == ["questions", "exams", "sittings"]


def test_plugins_that_require_each_other_stop_the_start():
    class Left:
        REQUIRES = ("right",)

    class Right:
        REQUIRES = ("left",)

    available = {"left": Plugin("left", Left), "right": Plugin("right", Right)}
    with pytest.raises(SettingsError, match="left requires right requires left"):
        switched_on(["left", "right"], available)


# Third-party plugins


@pytest.fixture
def external(install, app_with, base_settings):
    install(external="tests.contract.external_plugin")
    names = base_settings["competition.plugins"] + " external"
    return lambda **settings: app_with({"competition.plugins": names, **settings})


def greet(service, **options):
    body = {"email": "guest@elsewhere.example"}
    return service.anonymous.post("/external/greetings/", body, **options)


def test_a_third_party_plugin_adds_a_route(external):
    service = external()
    assert greet(service, status=201).json == {"greeting": "Hello, guest@elsewhere.example!"}
    operation = service.document.document["paths"]["/external/greetings/"]["post"]
    assert operation["tags"] == ["external"]
    assert operation["summary"] == "Greet a person, in the reply and by email."


def test_a_third_party_plugin_adds_a_setting(external):
    service = external(**{"competition.external.greeting": "Moin"})
    assert greet(service).json == {"greeting": "Moin, guest@elsewhere.example!"}


def test_a_third_party_setting_can_come_from_the_environment(external, monkeypatch):
    monkeypatch.setenv("COMPETITION_EXTERNAL_GREETING", "Ahoi")
    assert greet(external()).json == {"greeting": "Ahoi, guest@elsewhere.example!"}


def test_a_third_party_plugin_adds_a_task(external):
    service = external()
    greet(service)
    service.run_jobs()
    assert remembered(service) == ["guest@elsewhere.example"]


def test_a_third_party_plugin_adds_a_periodic_task(external):
    service = external()
    Ticks(service.runtime).make()
    service.run_jobs()
    assert remembered(service) == ["the day"]


def remembered(service):
    with begin(service.runtime) as work:
        return work.db.scalars(
            select(AuditEntry.subject).where(AuditEntry.action == "external.remember")
        ).all()


def test_a_third_party_plugin_adds_a_flag(external):
    service = external()
    with begin(service.runtime) as work:
        assert "external.loudly" in [definition.name for definition, _ in flags.listing(work)]
        flags.switch(work, "external.loudly", True)
    assert greet(service).json == {"greeting": "HELLO, GUEST@ELSEWHERE.EXAMPLE!"}


def test_a_third_party_plugin_handles_its_event_and_sends_an_email(external):
    service = external()
    greet(service)
    [mail] = service.mails("guest@elsewhere.example")
    assert mail["Subject"] == "A greeting"
    assert text_of(mail).strip() == "Hello, guest@elsewhere.example!"


def test_an_error_of_a_subscriber_rolls_back(external):
    """Events are emitted in the transaction that causes them."""
    from tests.contract.external_plugin import events

    service = external()

    def refuse(event):
        raise ZeroDivisionError

    registry = service.http.app.registry
    registry.registerHandler(refuse, [events.Greeted])
    greet(service, status=500, code="server_error")
    registry.unregisterHandler(refuse, [events.Greeted])
    service.run_jobs()
    assert service.mails() == []
    assert remembered(service) == []


def test_a_third_party_plugin_adds_a_command(external):
    service = external()
    command = service.runtime.catalogue[click.Command]["greet"]
    result = CliRunner().invoke(command, ["Ada"], obj=service.runtime)
    assert result.output == "Hello, Ada!\n"


def test_a_third_party_plugin_is_disabled_unless_it_is_listed(install, app_with):
    install(external="tests.contract.external_plugin")
    service = app_with({})
    greet(service, status=404, code="not_found")
    assert "/external/greetings/" not in service.document.document["paths"]
    assert "external.loudly" not in service.runtime.catalogue[FlagDefinition]
    assert "greet" not in service.runtime.catalogue[click.Command]


def test_a_third_party_plugin_requires_its_requirements(install, base_settings):
    install(external="tests.contract.external_plugin")
    message = refusal(base_settings, "external")
    assert "external requires accounts, which is not enabled" in message


def test_an_unknown_setting_of_a_plugin_stops_the_start(install, base_settings):
    install(external="tests.contract.external_plugin")
    with pytest.raises(SettingsError, match=r"competition\.external\.nonsense: no such setting"):
        build({**base_settings, "competition.external.nonsense": "1"})


def test_a_plugin_that_can_not_be_loaded_stops_the_start_with_its_name(install, base_settings):
    install(broken="tests.contract.no_such_module")
    with pytest.raises(SettingsError, match="the plugin broken can't be loaded"):
        build(base_settings)


def test_two_plugins_of_one_name_stop_the_start(install, base_settings):
    install(accounts="tests.contract.external_plugin")
    with pytest.raises(SettingsError, match="two plugins named accounts"):
        build(base_settings)


def test_names_registered_by_a_third_party_plugin_begin_with_its_name(
    install, base_settings, monkeypatch
):
    from tests.contract import external_plugin

    monkeypatch.delattr(external_plugin, "SETTINGS")
    install(guests="tests.contract.external_plugin")
    on = {**base_settings, "competition.plugins": "accounts guests"}
    with pytest.raises(ConfigurationError, match=r"plugin guests registers .* begin with guests"):
        build(on)


@pytest.mark.parametrize(
    "kind",
    [
        *(Ceiling, Feed, FlagDefinition, MailTemplate, ReadinessCheck),
        *(Permission, PersonalData, Retention, Task),
    ],
)
def test_stored_names_of_every_kind_begin_with_the_plugins_name(kind):
    catalogue = Catalogue()
    with catalogue.registered_by("notes", is_ours=False):
        for name in ("general", "notes_pin", "notebooks.pin", "note"):
            with pytest.raises(ConfigurationError, match=f"{kind.__name__} named '{name}'"):
                catalogue.add(kind, name, object())
        for name in ("notes", "notes.pin"):
            catalogue.add(kind, name, object())
    with catalogue.registered_by("exams", is_ours=True):
        catalogue.add(kind, "general", object())
    catalogue.add(kind, "of core", object())


# Errors at the start


VIEW = """
from typing import TypedDict
from competition.core.auth.access import PUBLIC
from competition.core.web.service import Service

class Answer(TypedDict):
    answer: int

service = Service({path!r})

@service.{method}(access=PUBLIC{more})
def answer(request){returns}:
    {docstring}
"""


def view(path="/wrong/", more="", returns=" -> Answer", docstring="'Answer.'", method="get"):
    return VIEW.format(path=path, more=more, returns=returns, docstring=docstring, method=method)


FILLS = (
    "from competition.core.slots import fill_slot\n"
    "from competition.plugins.people.offered_slots import CANDIDATE_DETAIL\n"
)
IMPORTS_A_MODEL = "from competition.plugins.exams.models import Exam\n"
MISTAKES = {
    "a path of another plugin": (
        view("/exams/{number}/"),
        r"Conflicting configuration actions\n  For: \('path', '/exams/{}/'\)",
    ),
    "a path of its own, twice": (
        view() + "other = Service('/wrong/')",
        r"Conflicting configuration actions\n  For: \('route', '/wrong/'\)",
    ),
    "a method of a path, twice": (
        view() + "\n@service.get(access=PUBLIC)\ndef other(request) -> Answer:\n    'Other.'",
        r"Conflicting configuration actions\n  For: \('view', .*'/wrong/'",
    ),
    "no docstring": (
        view(docstring="pass"),
        r"GET /wrong/ has no docstring \(wrong.views.answer\)",
    ),
    "a type of path that there is not": (
        view("/wrong/{number:integer}/"),
        "The path /wrong/{number:integer}/ has {number:integer}, .* types are int, uuid, str, path",
    ),
    "a reply without a shape": (
        view(returns=" -> dict"),
        r"GET /wrong/ \(wrong.views.answer\): <class 'dict'> has no JSON Schema",
    ),
    "nobody who may call it": (
        view().replace("access=PUBLIC", "status=200"),
        "The view wrong.views.answer does not say who may call it",
    ),
    "what no endpoint has": (
        view(more=", acces=PUBLIC"),
        "The view wrong.views.answer declares acces, which is not an option of endpoints",
    ),
    "no return type": (view(returns=""), "wrong.views.answer does not say what it returns"),
    "an unknown limit": (view(more=", limit='wrong.nothing'"), "limit 'wrong.nothing', which no"),
    "an unknown lane": (
        "from competition.core.jobs.tasks import task\n"
        "@task('wrong.draw', lane='slo')\ndef draw(work): pass",
        "The task wrong.draw has the lane 'slo', .* The lanes are main, slow",
    ),
    "a level that no check has": (
        "from competition.core.exam_checks import preflight_check\n"
        "@preflight_check('wrong.ready', level='warn')\ndef ready(work, subject): pass",
        "The pre-flight check wrong.ready has the level 'warn'. It must be one of warning, error",
    ),
    "a mail without a text": (
        "from competition.core.mail.templates import mail_template\n"
        "@mail_template('wrong.told')\ndef told(work, recipient): pass",
        r"wrong.told \(wrong.views\) is templates/told.txt of wrong, which does not exist",
    ),
    "a page with a type of path that there is not": (
        "from competition.core.web.html import page\n"
        "@page('/wrong/{number:integer}/')\ndef show(request, number): pass",
        "there is no type integer",
    ),
    "a slot filled without a type": (
        f"{FILLS}@fill_slot(CANDIDATE_DETAIL, 'wrong')\ndef load(work, ids): pass",
        r"wrong.views.load fills the slot people.candidate_detail: .* to return dict.key, type of",
    ),
    "a slot filled with a list": (
        f"{FILLS}@fill_slot(CANDIDATE_DETAIL, 'wrong')\ndef load(work, ids) -> list[int]: pass",
        r"wrong.views.load fills the slot .* to return dict.key, type of the field., not list.int",
    ),
    "all fields of what is no TypedDict": (
        f"{FILLS}@fill_slot(CANDIDATE_DETAIL)\ndef load(work, ids) -> dict[str, int]: pass",
        r"wrong.views.load fills the slot .* to return dict.key, a TypedDict., not dict.str, int",
    ),
    "a field that a slot has already": (
        f"{FILLS}@fill_slot(CANDIDATE_DETAIL, 'wrong')\ndef load(work, ids) -> dict[int, int]: 1\n"
        "@fill_slot(CANDIDATE_DETAIL, 'wrong')\ndef other(work, ids) -> dict[str, int]: pass",
        "registers a Field named 'people.candidate_detail.wrong', but there is one already",
    ),
    "two gauges of one name": (
        "from competition.core.monitoring.metrics import gauge\n"
        "@gauge('wrong', 'Wrong.')\ndef one(work): pass\n"
        "@gauge('wrong', 'Wrong.')\ndef two(work): pass",
        "The plugin wrong registers a WatchedGauge named 'wrong', but there is one already",
    ),
    "a module that is not there": ("import wrong.nowhere", "plugin wrong can't be loaded: No mod"),
}


@pytest.fixture
def wrong(install, monkeypatch, tmp_path, base_settings):
    """Enable a plugin named `wrong` that consists of these files, among these or all plugins."""

    def start(among=base_settings["competition.plugins"], has_endpoints=True, **files):
        folder = tmp_path / "wrong"
        folder.mkdir()
        for name, text in {"__init__": "", "views": "", **files}.items():
            file = folder / (name if "." in name else f"{name}.py")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        install(wrong="wrong")
        on = {**base_settings, "competition.plugins": f"{among} wrong"}
        config = build(on, has_endpoints=has_endpoints)
        config.registry.runtime.close()
        return config

    yield start
    glossary.of.cache_clear()
    # The next test has another package with this name.
    for name in [name for name in sys.modules if f"{name}.".startswith("wrong.")]:
        del sys.modules[name]


SCANS = "def includeme(config): config.scan()"
# The plugins that the mistakes refer to, and those that they require.
FEW = "accounts dashboards docs exams people questions verification"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_declaration_stops_the_start(wrong, mistake):
    views, message = MISTAKES[mistake]
    with pytest.raises(ConfigurationError, match=message):
        wrong(among=FEW, __init__=SCANS, views=views)


@pytest.mark.parametrize(
    "ignored", ["'.broken'", "['.broken']", "lambda name: name.endswith('broken')"]
)
def test_a_plugin_chooses_what_its_scan_ignores_also_without_endpoints(wrong, ignored):
    scans = f"def includeme(config): config.scan(None, ('pyramid',), ignore={ignored})"
    files = {"__init__": scans, "views": view(), "broken": "raise RuntimeError"}
    config = wrong(among=FEW, has_endpoints=False, **files)
    assert "/wrong/" not in {each.path for each in endpoints(config.registry)}


def test_two_views_with_one_name_stop_the_start(wrong):
    """Both views would be the same operation of the OpenAPI document."""
    message = "wrong.others.answer and wrong.views.answer would both be the operation wrong_answer"
    with pytest.raises(ConfigurationError, match=message):
        wrong(__init__=SCANS, views=view(), others=view("/other/").replace("Answer", "Other"))


def test_a_field_for_an_unknown_body_stops_the_start(wrong):
    line = "config.add_body_field('accounts.nothing', 'wrong', 'wrong.schemas.Wrong')"
    message = "to the body 'accounts.nothing', which no endpoint takes. Require "
    schemas = "from competition.core.schemas import Schema\nclass Wrong(Schema): pass"
    with pytest.raises(ConfigurationError, match=message):
        wrong(__init__=f"def includeme(config): {line}", schemas=schemas)


def test_an_unreadable_glossary_stops_the_start(wrong):
    with pytest.raises(ConfigurationError, match=r"wrong/glossary.toml can't be read: .*line 1"):
        wrong(__init__=SCANS, **{"glossary.toml": "answer = What it says."})


def test_a_catalogue_that_can_not_be_read_stops_the_start(wrong):
    with pytest.raises(ConfigurationError, match=r"wrong/locale/fr.po can't be read: .*line 2"):
        wrong(__init__=SCANS, **{"locale/fr.po": 'msgid "Yes."\nOui.\n'})


def test_the_catalogue_of_a_third_party_plugin_is_read(wrong):
    ours = str(NotFound.detail)
    texts = f'msgid "Yes."\nmsgstr "Oui."\n\nmsgid "{ours}"\nmsgstr "Rien."\n'
    config = wrong(__init__=SCANS, **{"locale/fr.po": texts})
    french = config.registry.runtime.catalogue[Translations]["fr"].gettext
    assert french("Yes.") == "Oui."
    # If core has a translation too, the service uses that of core.
    assert french(ours).startswith("Introuvable.")


GUARDIAN = """
from competition.core.errors import ApiError
from competition.core.schemas import Schema, Text, node

class Unknown(ApiError):
    status, code, detail = 409, "unknown_guardian", "Nobody knows them."

class Guardian(Schema):
    missing = None
    reason = node(Text(1, 9))
    family = node(Text(1, 9))
"""


def test_a_plugins_descriptions_apply_only_to_its_own_schemas(wrong):
    """Other shapes have fields with the same names: `answer` and `reason` mean something else
    there, and core describes `email`.
    """
    text = (
        "from wrong.schemas import Unknown\ndef includeme(config):\n    config.scan()\n"
        "    config.add_body_field('accounts.candidate_registration', 'guardian',"
        " '.schemas.Guardian', errors=(Unknown,))"
    )
    field = "    answer: int\n    email: str"
    found = describe(
        wrong(
            __init__=text,
            views=view().replace("    answer: int", field),
            schemas=GUARDIAN,
            **{
                "glossary.toml": "family = 'Their name.'\nguardian = 'Who signs.'\nschool = 'Ours.'"
            },
        ).registry
    )
    shapes = found["components"]["schemas"]
    explained = {
        shape: {name: each.get("description") for name, each in shapes[shape]["properties"].items()}
        for shape in ("WrongAnswer", "WrongGuardian", "CandidateRegistration")
    }
    assert explained["WrongAnswer"] == {
        "answer": None,
        "email": "The email address, in lower case. Two accounts never have the same address.",
    }
    assert explained["WrongGuardian"] == {"reason": None, "family": "Their name."}
    registration = explained["CandidateRegistration"]
    assert (registration["guardian"], registration["school"]) == (
        "Who signs.",
        "The candidate's school, as the candidate wrote it.",
    )
    # An optional field is not required, and its errors are documented.
    assert "guardian" not in shapes["CandidateRegistration"]["required"]
    assert "409" in found["paths"]["/register/candidate/"]["post"]["responses"]


def test_a_plugins_examples_apply_only_to_its_own_fields(wrong, base_settings):
    """`title` and `school` are fields of many other shapes too. Their examples stay the same, also
    in replies that several plugins share.
    """
    text = (
        "REQUIRES = ('people',)\n"
        "def includeme(config):\n    config.scan()\n"
        "    config.add_examples(answer=41, title='The prize', school='Wrong', prizes_won=3)"
    )
    shapes = "from typing import TypedDict\nclass Prize(TypedDict):\n    title: str\n"
    slots = (
        f"{FILLS}from wrong.presenters import Prize\n"
        "@fill_slot(CANDIDATE_DETAIL, 'prizes')\n"
        "def prizes(work, ids) -> dict[str, list[Prize]]: return {each: [] for each in ids}\n"
        "@fill_slot(CANDIDATE_DETAIL, 'prizes_won')\n"
        "def prizes_won(work, ids) -> dict[str, int]: return {each: 0 for each in ids}"
    )
    without = examples_of(build(base_settings))
    found = examples_of(wrong(__init__=text, presenters=shapes, slots=slots, views=view()))
    assert found.pop("get /wrong/") == {"answer": 41}
    detail = found["get /candidates/{candidate_id}/"]
    assert (detail.pop("prizes"), detail.pop("prizes_won")) == ([{"title": "The prize"}], 3)
    assert found == without


def examples_of(config):
    """The examples of all replies, by operation."""
    config.registry.runtime.close()
    return {
        f"{method} {path}": content["example"]
        for path, operations in describe(config.registry)["paths"].items()
        for method, operation in operations.items()
        for status, reply in operation["responses"].items()
        if status.startswith("2") and "content" in reply
        for content in reply["content"].values()
        if "example" in content
    }


def test_using_a_plugin_without_requiring_it_is_an_error(wrong):
    """The test kit checks the imports of each plugin."""
    wrong(__init__=SCANS, views=IMPORTS_A_MODEL)
    message = (
        "The plugin wrong uses competition.plugins.exams.models.Exam .in wrong.views., but does"
        " not require exams. Add exams to REQUIRES"
    )
    with pytest.raises(AssertionError, match=message):
        check_requirements(["wrong"])


def test_requirements_of_requirements_count_as_required(wrong):
    wrong(__init__=f"REQUIRES = ('sittings',)\n{SCANS}", views=IMPORTS_A_MODEL)
    check_requirements(["wrong"])


def test_subscribing_to_an_event_needs_no_requirement(wrong):
    """An event is not emitted while its plugin is disabled."""
    wrong(__init__=SCANS, views="from competition.plugins.exams.events import ExamChanged")
    check_requirements(["wrong"])


def test_filling_a_slot_needs_no_requirement(wrong):
    """A slot is not loaded while its plugin is disabled."""
    wrong(__init__=SCANS, slots=FILLS)
    check_requirements(["wrong"])


@pytest.mark.usefixtures("app")
def test_each_built_in_plugin_requires_the_plugins_that_it_uses():
    """The application has imported all of their modules."""
    check_requirements(name for name, plugin in installed().items() if plugin.is_ours)


@pytest.mark.parametrize(
    "section",
    [
        "class WrongSettings: pass",
        "@dataclass\nclass WrongSettings: days: int = 1",
        "@dataclass\nclass WrongSettings: prefix: ClassVar[str] = 'competition.exams'",
    ],
)
def test_a_settings_class_with_a_wrong_prefix_stops_the_start(wrong, section):
    imports = "from dataclasses import dataclass\nfrom typing import ClassVar\n"
    text = f"{imports}{section}\nSETTINGS = WrongSettings\n{SCANS}"
    message = r"the plugin wrong: .*WrongSettings.* a dataclass with the prefix competition\.wrong"
    with pytest.raises(SettingsError, match=message):
        wrong(__init__=text)


def test_a_setting_of_an_uninstalled_plugin_is_reported_as_such(base_settings):
    message = "competition.gone.days: no such setting; no plugin named gone is installed"
    with pytest.raises(SettingsError, match=message):
        build({**base_settings, "competition.gone.days": "7"})


def test_a_slot_without_a_value_for_a_row_names_the_function():
    def nothing_of(work, keys):
        return {}

    field = Field(Slot("people.candidate_detail"), "wrong", int, nothing_of)
    with pytest.raises(LookupError, match=r"nothing_of fills the field wrong of the slot people"):
        field.value(nothing_of(None, [7]), 7)


def test_a_plugin_can_be_a_single_module(install, app_with):
    install(single="tests.contract.single_module_plugin")
    service = app_with({"competition.plugins": "single"})
    assert service.anonymous.get("/single/").json == {"answer": 42}
    plugins.import_models()
