"""The two ini files: development.ini lists all settings, and the service starts with each of
them.
"""

import json
import logging
import re
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path
from secrets import token_hex, token_urlsafe

import pytest
from pyramid.paster import get_appsettings, setup_logging

from competition.core.limits.counters import PRESETS, RateLimitSettings
from competition.core.plugins import build, core_sections, installed, load_settings
from competition.core.settings import SettingsError, keys, read
from competition.core.startup import warn_of_risks
from competition.plugins.leaderboard import NameSettings
from competition.plugins.privacy import PrivacySettings
from competition.plugins.sittings import SittingSettings
from competition.plugins.verification import VerificationSettings
from tests.support.repository import DEVELOPMENT_INI, PRODUCTION_INI

SECRETS = {
    "COMPETITION_DATABASE_URL": "postgresql+psycopg://league:secret@db.example/league?sslmode=verify-full",
    "COMPETITION_REDIS_URL": "rediss://:secret@redis.example:6379/0",
    "COMPETITION_SIGNING_KEYS": "0f7a93c1e5d24b86a1c09e3fd7528b64f3e61a0dc95b7284",
    "COMPETITION_RECEIPTS_KEYS": "Vb1rJ8eXo0kq3mTzGd5uYwNcHs7aLfPiR2xQ4vE6tZA=",
    "COMPETITION_PUBLIC_URL": "https://league.example",
    "COMPETITION_SUPPORT_EMAIL": "support@league.example",
    "COMPETITION_MAIL_SENDER": "league@league.example",
    "COMPETITION_MAIL_SMTP_HOST": "smtp.league.example",
    "COMPETITION_STORAGE_S3_BUCKET": "documents",
}
# Modules that take a megabyte or more, and that the worker and the sockets need rarely or never.
RARELY_NEEDED = {
    *("zxcvbn", "xlsxwriter", "tree_sitter"),
    *("competition.plugins.docs.pages", "competition.plugins.pages.serving"),
    "competition.plugins.exports.services.formats",
}
# With these decisions, the start logs no warnings. An empty value is a decision, too.
DECISIONS = {
    "COMPETITION_PRIVACY_CONSENT_TEXT": "",
    "COMPETITION_SESSIONS_SECOND_FACTOR_FROM": "manager",
    "COMPETITION_SCORES_VISIBLE": "immediately",
    "COMPETITION_RATELIMIT_TRUSTED_PROXIES": "192.0.2.0/24",
}


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**SECRETS, **DECISIONS}.items():
        monkeypatch.setenv(name, value)


def ours():
    return {name: plugin for name, plugin in installed().items() if plugin.is_ours}


def sections():
    plugins = ours().values()
    return [*core_sections(), *(section for plugin in plugins for section in plugin.sections)]


def commented(ini: Path) -> dict[str, str]:
    found = re.findall(r"^# (competition\.[\w.]+) =(.*)$", ini.read_text(), re.MULTILINE)
    return {key: value.strip() for key, value in found}


def test_development_ini_has_every_setting_once():
    ini = DEVELOPMENT_INI.read_text()
    written = re.findall(r"^(?:# )?(competition\.[\w.]+) =", ini, re.MULTILINE)
    assert sorted(written) == sorted(key for section in sections() for key in keys(section))


def test_commented_lines_of_development_ini_have_the_defaults():
    texts = commented(DEVELOPMENT_INI)
    given = get_appsettings(str(DEVELOPMENT_INI))
    settings = read(sections(), {**given, **texts})
    for section in sections():
        for field in section.__dataclass_fields__.values():
            key = f"{section.prefix}.{field.name}"
            if key in texts:
                assert getattr(settings[section], field.name) == field.default, key


def test_the_service_starts_with_development_ini():
    build(get_appsettings(str(DEVELOPMENT_INI))).registry.runtime.close()


def test_the_service_starts_with_production_ini_and_the_environment(secrets):
    runtime = build(get_appsettings(str(PRODUCTION_INI))).registry.runtime
    assert runtime.public_url == "https://league.example"
    assert runtime.settings[RateLimitSettings].general == PRESETS["standard"]
    # The front-ends have no pages yet.
    assert set(runtime.packages.values()) == set(ours())
    runtime.close()


def test_production_ini_without_the_environment_names_all_missing_settings():
    with pytest.raises(SettingsError) as refusal:
        build(get_appsettings(str(PRODUCTION_INI)))
    for name in SECRETS:
        assert any(name in problem for problem in refusal.value.problems), name


def test_production_rejects_development_secrets_and_embedded_servers(secrets, monkeypatch):
    development = get_appsettings(str(DEVELOPMENT_INI))
    monkeypatch.setenv("COMPETITION_SIGNING_KEYS", development["competition.signing.keys"])
    monkeypatch.setenv("COMPETITION_RECEIPTS_KEYS", development["competition.receipts.keys"])
    monkeypatch.setenv("COMPETITION_DATABASE_URL", "embedded")
    monkeypatch.setenv("COMPETITION_REDIS_URL", "embedded")
    with pytest.raises(SettingsError) as refusal:
        build(get_appsettings(str(PRODUCTION_INI)))
    assert len(refusal.value.problems) == 4


def test_production_requires_the_public_url(secrets, monkeypatch):
    monkeypatch.delenv("COMPETITION_PUBLIC_URL")
    with pytest.raises(SettingsError, match=r"competition\.public_url: missing"):
        build(get_appsettings(str(PRODUCTION_INI)))


@pytest.mark.parametrize(
    "key",
    [
        "k" * 64,
        "ab" * 16,
        "0123456789abcdef" * 4,
        "password" * 5,
        "abcdefghijklmnopqrstuvwxyz012345",
        "qwertyuiopasdfghjklzxcvbnm123456",
        "change-me-in-production-please-now",
    ],
)
def test_production_rejects_signing_keys_that_are_not_random(secrets, monkeypatch, key):
    good = SECRETS["COMPETITION_SIGNING_KEYS"]
    monkeypatch.setenv("COMPETITION_SIGNING_KEYS", f"{good} {key}")
    with pytest.raises(SettingsError) as refusal:
        build(get_appsettings(str(PRODUCTION_INI)))
    [problem] = refusal.value.problems
    assert "competition.signing.keys: key number 2" in problem and key not in problem


def test_production_accepts_random_signing_keys(secrets, monkeypatch):
    for key in (token_hex(16), token_hex(64), token_urlsafe(24), token_urlsafe(48)):
        monkeypatch.setenv("COMPETITION_SIGNING_KEYS", key)
        build(get_appsettings(str(PRODUCTION_INI))).registry.runtime.close()


@pytest.mark.long
def test_a_process_loads_no_module_that_it_rarely_needs(secrets):
    """The sockets and the worker each take some megabytes for such a module."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from competition.cli.ini import Ini\n"
        f"with Ini(Path({str(PRODUCTION_INI)!r})).runtime():\n"
        "    print(*sys.modules)"
    )
    run = [sys.executable, "-W", "ignore", "-c", code]
    loaded = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    assert "competition.plugins.exams.models" in loaded
    assert not RARELY_NEEDED.intersection(loaded)


def warnings(caplog, *, whole=False):
    caplog.clear()
    settings, _ = load_settings(get_appsettings(str(PRODUCTION_INI)))
    warn_of_risks(settings)
    messages = [record.getMessage() for record in caplog.records]
    return messages if whole else [message.partition(":")[0] for message in messages]


def test_production_warns_about_insecure_settings(secrets, monkeypatch, caplog):
    assert warnings(caplog) == []
    monkeypatch.setenv("COMPETITION_PUBLIC_URL", "http://league.example")
    monkeypatch.setenv("COMPETITION_RATELIMIT_ENABLED", "false")
    monkeypatch.setenv("COMPETITION_MAIL_SMTP_SECURITY", "none")
    database = "postgresql+psycopg://league:secret@db.league.example/league"
    monkeypatch.setenv("COMPETITION_DATABASE_URL", f"{database}?sslmode=require")
    monkeypatch.setenv("COMPETITION_DATABASE_DIRECT_URL", f"{database}?sslmode=verify-full")
    monkeypatch.setenv("COMPETITION_REDIS_URL", "redis://:secret@redis.league.example/0")
    monkeypatch.setenv("COMPETITION_STORAGE_S3_ENDPOINT_URL", "http://s3.league.example")
    assert sorted(warnings(caplog)) == [
        "competition.database.reading_url",
        "competition.database.url",
        "competition.mail.smtp_security",
        "competition.public_url",
        "competition.ratelimit.enabled",
        "competition.redis.url",
        "competition.storage.s3_endpoint_url",
    ]
    monkeypatch.setenv("COMPETITION_STORAGE_S3_ENDPOINT_URL", "http://127.0.0.1:9000")
    assert "competition.storage.s3_endpoint_url" not in warnings(caplog)
    monkeypatch.setenv("COMPETITION_REDIS_URL", "rediss://:secret@redis.league.example/0")
    assert "competition.redis.url" not in warnings(caplog)
    monkeypatch.setenv("COMPETITION_RATELIMIT_ENABLED", "true")
    monkeypatch.setenv("COMPETITION_RATELIMIT_PRESET", "development")
    assert "competition.ratelimit.preset" in warnings(caplog)
    monkeypatch.setenv("COMPETITION_ENVIRONMENT", "development")
    assert warnings(caplog) == []


def test_production_warns_once_about_undecided_settings(secrets, monkeypatch, caplog):
    monkeypatch.delenv("COMPETITION_PRIVACY_CONSENT_TEXT")
    monkeypatch.delenv("COMPETITION_SESSIONS_SECOND_FACTOR_FROM")
    [warning] = warnings(caplog, whole=True)
    assert "`competition.privacy.consent_text =`" in warning
    assert "competition.sessions.second_factor_from" not in warning
    assert "competition.scores.visible" not in warning
    monkeypatch.setenv("COMPETITION_ENVIRONMENT", "development")
    assert warnings(caplog) == []
    # If a plugin is disabled, the start needs no decision about it.
    monkeypatch.setenv("COMPETITION_ENVIRONMENT", "production")
    monkeypatch.setenv("COMPETITION_SESSIONS_SECOND_FACTOR_FROM", "")
    monkeypatch.setenv("COMPETITION_PLUGINS", "accounts")
    assert warnings(caplog) == []


def test_production_ini_protects_minors(secrets):
    settings, _ = load_settings(get_appsettings(str(PRODUCTION_INI)))
    assert settings[VerificationSettings].pending_days
    assert settings[VerificationSettings].retention_days
    assert settings[VerificationSettings].review_changes
    assert settings[PrivacySettings].unverified_days
    assert settings[NameSettings].kept_days


def test_production_ini_accepts_no_answers_without_a_start(secrets):
    settings, _ = load_settings(get_appsettings(str(PRODUCTION_INI)))
    assert settings[SittingSettings].requires_start


def test_an_https_address_without_a_trusted_proxy_causes_a_warning(secrets, monkeypatch, caplog):
    monkeypatch.delenv("COMPETITION_RATELIMIT_TRUSTED_PROXIES")
    assert warnings(caplog) == ["competition.ratelimit.trusted_proxies"]


@pytest.mark.parametrize(
    ("hosts", "is_warned_of"),
    [
        ("/?host=db1.example:5432&host=db2.example:5432", True),
        ("127.0.0.1:5432/?host=/run/postgresql", False),
        ("/?host=/run/one&host=/run/two", False),
        ("/?host=127.0.0.1:5432&host=[::1]:5433", False),
        ("/?host=localhost,127.0.0.1", False),
        ("/?host=localhost,db2.example", True),
        ("[::1]:5432/", False),
    ],
)
def test_remote_hosts_in_a_database_url_without_tls_cause_a_warning(
    secrets, monkeypatch, caplog, hosts, is_warned_of
):
    host, _, query = hosts.partition("/")
    url = f"postgresql+psycopg://league:secret@{host}/league{query}"
    monkeypatch.setenv("COMPETITION_DATABASE_URL", url)
    assert warnings(caplog) == ["competition.database.url"] * is_warned_of
    if is_warned_of:
        monkeypatch.setenv("COMPETITION_DATABASE_URL", f"{url}&sslmode=verify-full")
        assert warnings(caplog) == []


@pytest.mark.parametrize("environment", ["production", "development"])
def test_a_server_reachable_without_a_trusted_proxy_causes_a_warning(
    secrets, monkeypatch, caplog, environment
):
    monkeypatch.setenv("COMPETITION_ENVIRONMENT", environment)
    monkeypatch.delenv("COMPETITION_RATELIMIT_TRUSTED_PROXIES")
    monkeypatch.setenv("COMPETITION_PUBLIC_URL", "http://127.0.0.1")
    risks = ["competition.public_url"] if environment == "production" else []
    for host in ("127.0.0.1", "::1", "localhost"):
        monkeypatch.setenv("COMPETITION_SERVER_HOST", host)
        assert warnings(caplog) == risks
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        monkeypatch.setenv("COMPETITION_SERVER_HOST", host)
        assert warnings(caplog) == [*risks, "competition.server.host"]
    monkeypatch.setenv("COMPETITION_RATELIMIT_TRUSTED_PROXIES", "192.0.2.0/24")
    assert warnings(caplog) == risks


def test_an_smtp_user_needs_a_password(secrets, monkeypatch):
    monkeypatch.setenv("COMPETITION_MAIL_SMTP_USER", "league")
    with pytest.raises(SettingsError, match="COMPETITION_MAIL_SMTP_PASSWORD"):
        load_settings(get_appsettings(str(PRODUCTION_INI)))


def test_the_exam_day_numbers_are_rates_that_allow_more(secrets, monkeypatch):
    limits_alone = ((k, v) for k, v in commented(PRODUCTION_INI).items() if "ratelimit" in k)
    for key, value in limits_alone:
        monkeypatch.setenv(key.upper().replace(".", "_"), value)
    settings, _ = load_settings(get_appsettings(str(PRODUCTION_INI)))
    standard = PRESETS["standard"]
    limits = settings[RateLimitSettings].general
    for name in ("authenticated", "anonymous", "address"):
        for more, rate in zip(getattr(limits, name), getattr(standard, name), strict=True):
            assert more.period == rate.period and more.limit > rate.limit


def test_production_ini_protects_the_accounts_of_staff():
    settings = get_appsettings(str(PRODUCTION_INI))
    assert settings["competition.sessions.second_factor_from"] == "manager"
    assert settings["competition.accounts.inviters_choose_passwords"] == "false"


def test_both_ini_files_have_the_section_for_pserve():
    for ini in (DEVELOPMENT_INI, PRODUCTION_INI):
        parser = RawConfigParser()
        parser.read(ini)
        assert parser["server:main"]["use"] == "egg:waitress#main"


def test_production_logs_one_json_object_per_line(capsys):
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        setup_logging(str(PRODUCTION_INI))
        logging.getLogger("competition.test").warning("two\nlines")
    finally:
        root.handlers[:], root.level = before, level
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "two\nlines"
