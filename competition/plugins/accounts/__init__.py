"""Accounts: registration, one-time passwords, login and logout, the second factor of staff."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.limits.counters import Rate, Rates, parse_rate, parse_rates
from competition.core.settings import setting


@dataclass(frozen=True, kw_only=True)
class AccountsSettings:
    """One-time passwords, guessing and unused accounts: how long a one-time password lives, how
    many wrong tries it survives, and how many are sent to an address for a purpose (decisions D12);
    after how many minutes staff with an unverified email address is deleted, after how many days a
    generated password that nobody used ends.

    The rates count, over all addresses, what is about one account; one that ends in `_of_address`
    counts what an address does to all accounts, and `own_` is what others leave to each address. Of
    guesses only wrong ones count.
    """

    prefix: ClassVar[str] = "competition.accounts"
    otp_minutes: int = setting(10, minimum=1)
    otp_tries: int = setting(5, minimum=1)
    otp_rate: Rates = setting(parse_rates("3/10minute"), parse=parse_rates)
    own_otp_rate: Rate = setting(parse_rate("1/10minute"), parse=parse_rate)
    wrong_otps: Rates = setting(parse_rates("20/day"), parse=parse_rates)
    wrong_otps_of_address: Rates = setting(parse_rates("60/day"), parse=parse_rates)
    wrong_passwords: Rates = setting(parse_rates("100/hour 300/day 600/7day"), parse=parse_rates)
    own_guesses: Rate = setting(parse_rate("5/day"), parse=parse_rate)
    registrations_of_address: Rates = setting(parse_rates("60/hour"), parse=parse_rates)
    unverified_staff_minutes: int = setting(15, minimum=1)
    generated_password_days: int = setting(7, minimum=1)


@dataclass(frozen=True, kw_only=True)
class SecondFactorSettings:
    """How long a login waits for a code, how many wrong codes end it, and how many codes may be
    tried for an account in all of its logins."""

    prefix: ClassVar[str] = "competition.second_factor"
    challenge_minutes: int = setting(5, minimum=1)
    challenge_tries: int = setting(5, minimum=1)
    rate: Rates = setting(parse_rates("20/hour 50/day"), parse=parse_rates)


SETTINGS = AccountsSettings, SecondFactorSettings


def includeme(config: Configurator) -> None:
    config.add_flag("candidate_registration", default=True, description="Candidates may register.")
    config.add_flag("staff_registration", default=True, description="Staff may register.")
    config.add_examples(
        access="eyJhbGciOiJIUzI1NiJ9.e30.YWNjZXNz",
        refresh="eyJhbGciOiJIUzI1NiJ9.e30.cmVmcmVzaA",
        otp="482915",
        password="rings and ideals",
        password2="rings and ideals",
        new_password="fields and forms",
        confirm_password="fields and forms",
        expires_in_minutes=10,
        support_email="support@league.example",
        challenge="kq3mY0cQyVYw7B0rTq3yq5cN9x2cF4wYx1m0n8a6b7c",
        code="482915",
        secret="JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        otpauth_url=(
            "otpauth://totp/League:ada%40league.example"
            "?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=League"
        ),
        recovery_codes=["M4QW-7ZTA-KX2P-LD5R-H2VN-3CYE"],
    )
    config.scan()
