from datetime import timedelta

import pytest

from competition.core.limits.counters import PRESETS, Rate, RateLimitSettings, Window, parse_rates
from competition.plugins import operations, sittings
from competition.plugins.accounts import AccountsSettings

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("10/minute", [Rate(10, MINUTE)]),
        ("10/minute 60/hour", [Rate(10, MINUTE), Rate(60, HOUR)]),
        ("10/minute, 60/hour", [Rate(10, MINUTE), Rate(60, HOUR)]),
        ("3/10minute", [Rate(3, 10 * MINUTE)]),
        ("", []),
    ],
)
def test_rates_are_parsed(text, rates):
    assert list(parse_rates(text)) == rates


@pytest.mark.parametrize(
    "text", ["10", "ten/minute", "0/minute", "-1/minute", "10/year", "10/", "/minute", "10/0minute"]
)
def test_a_malformed_rate_is_rejected(text):
    with pytest.raises(ValueError, match="is not a rate"):
        parse_rates(text)


def test_a_period_can_occur_only_once():
    with pytest.raises(ValueError, match="contains the same period twice"):
        parse_rates("10/minute 20/minute")


def test_the_standard_rates_are_those_of_the_contract():
    limits = PRESETS["standard"]
    assert limits.authenticated == (Rate(10, MINUTE), Rate(60, HOUR), Rate(1000, DAY))
    assert limits.anonymous == (Rate(5, MINUTE), Rate(60, DAY))
    assert limits.address == (Rate(300, MINUTE),)
    assert (Rate(60, MINUTE),) == sittings.SUBMISSIONS == operations.BACKUP_REPORTS
    assert AccountsSettings().otp_rate == (Rate(3, 10 * MINUTE),)


def test_one_rate_can_be_set_separately():
    limits = RateLimitSettings(address=parse_rates("3000/minute")).general
    assert limits.address == (Rate(3000, MINUTE),)
    assert limits.anonymous == PRESETS["standard"].anonymous


def test_windows_of_one_subject_do_not_share_a_counter():
    rates = PRESETS["standard"].authenticated
    assert len({Window("user:1", rate).key for rate in rates}) == len(rates)
