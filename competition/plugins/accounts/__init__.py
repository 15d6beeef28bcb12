"""Accounts: registration, one-time passwords, login and logout."""

from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import setting
from competition.core.web.rates import Rates, parse_rates


@dataclass(frozen=True, kw_only=True)
class AccountsSettings:
    """How long a one-time password lives, how many wrong tries it survives, and how many are sent
    to an address for a purpose (decisions D12); after how many minutes staff with an unproven email
    address is deleted."""

    prefix: ClassVar[str] = "competition.accounts"
    otp_minutes: int = setting(10, minimum=1)
    otp_tries: int = setting(5, minimum=1)
    otp_rate: Rates = setting(parse_rates("3/10minute"), parse=parse_rates)
    unverified_staff_minutes: int = setting(15, minimum=1)


SETTINGS = AccountsSettings


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
    )
    config.add_personal_data(
        "one-time passwords",
        export=".services.codes.waiting_for",
        erase=".services.codes.delete_of",
    )
    config.scan()
