"""Limits for guessing passwords and one-time passwords (decisions D19), and for registrations from
an address (D20)."""

import pytest
from sqlalchemy import select

from competition.core.limits.counters import parse_rates
from competition.core.users import personal_data
from competition.core.users.credentials import KnownNetwork
from competition.core.work import begin
from competition.plugins.accounts import OWN_GUESSES, AccountsSettings
from competition.plugins.accounts.services import codes, login
from competition.plugins.accounts.services.codes import OTPS_OF_ACCOUNT
from competition.testing.races import together
from competition.testing.service import PASSWORD
from tests.support.statements import counts

# Raise the general rate limits, because they would reject these requests first.
LIMITED = {
    "competition.ratelimit.enabled": "true",
    "competition.ratelimit.anonymous": "100000/minute",
    "competition.ratelimit.address": "100000/minute",
}
HOME, SCHOOL = "198.51.100.7", "203.0.113.1"
# The limit of this network is higher than that of a single address.
NETWORK = {
    "competition.ratelimit.networks": "203.0.113.0/24=9/minute",
    "competition.accounts.wrong_otps_of_address": "5/day",
    "competition.accounts.registrations_of_address": "5/hour",
}
UNKNOWN = "nobody@school.example"


@pytest.fixture
def service(app_with):
    return app_with(LIMITED)


def strangers():
    """Network addresses, each to be used for a single request."""
    return (f"192.0.{block}.{host}" for block in range(3, 50) for host in range(1, 255))


def guess_code(service, email, address=HOME, otp="wrong", **expected):
    body = {"email": email, "otp": otp}
    environ = {"REMOTE_ADDR": address}
    return service.anonymous.post("/verify-email-otp/", body, environ=environ, **expected)


def log_in(service, email, address=HOME, password="wrong", **expected):
    return service.log_in(email, password, environ={"REMOTE_ADDR": address}, **expected)


def refused(reply):
    assert (reply.status_int, reply.json["code"]) == (429, "rate_limit_exceeded")
    assert int(reply.headers["Retry-After"]) > 0
    return True


def with_code(service, **fields):
    person = service.candidate(is_email_verified=False, **fields)
    service.anonymous.post("/send-email-otp/", {"email": person.email})
    return person, service.otp(person.email)


# One-time passwords


def test_the_default_limits_for_guesses():
    settings = AccountsSettings()
    assert settings.wrong_otps == parse_rates("20/day")
    assert settings.wrong_otps_of_address == parse_rates("60/day")
    assert settings.wrong_passwords == parse_rates("100/hour 300/day 600/7day")
    assert parse_rates("5/day") == OWN_GUESSES
    assert settings.wrong_otps_of_network == parse_rates("300/day")
    assert parse_rates("10/day") == OTPS_OF_ACCOUNT
    assert settings.registrations_of_address == parse_rates("60/hour")
    assert parse_rates("120/day") == codes.OWN_OF_ADDRESS
    assert parse_rates("600/day") == codes.OWN_OF_NETWORK
    assert parse_rates("300/10minute 1000/day") == login.WRONG_OF_ADDRESS
    assert parse_rates("1000/10minute 3000/day") == login.WRONG_OF_NETWORK
    assert parse_rates("3000/day") == login.MOST_OF_ADDRESS
    assert parse_rates("10000/day") == login.MOST_OF_NETWORK


def test_wrong_codes_from_an_address_are_limited_over_all_accounts(app_with):
    service = app_with({**LIMITED, "competition.accounts.wrong_otps_of_address": "6/day"})
    for number in range(6):
        guess_code(service, f"pupil{number}@school.example", status=400, code="invalid_otp")
    person, otp = with_code(service)
    refusal = guess_code(service, person.email, otp=otp, status="any")
    assert refused(refusal) and int(refusal.headers["Retry-After"]) > 86000
    guess_code(service, person.email, SCHOOL, otp, status=200)


@pytest.mark.parametrize(
    ("block", "first"),
    [
        # An IPv6 customer may have 65,536 networks.
        ("2001:db8:1:{}::1", "competition.accounts.wrong_otps_of_address"),
        ("192.0.2.{}", "competition.accounts.wrong_otps_of_network"),
    ],
)
def test_the_addresses_of_a_network_are_counted_together(app_with, block, first):
    service = app_with({**LIMITED, first: "6/day"})
    for number in range(6):
        guess_code(service, f"pupil{number}@school.example", block.format(number), status=400)
    refused(guess_code(service, UNKNOWN, block.format(7), status="any"))


def test_a_user_keeps_five_guesses_in_a_network_over_its_limit(app_with):
    """Thousands of customers of a mobile provider may share one IPv4 network."""
    service = app_with({**LIMITED, "competition.accounts.wrong_otps_of_network": "2/day"})
    person, otp = with_code(service)
    log_in(service, person.email, password=PASSWORD, status=200)
    for number in range(2):
        guess_code(service, f"pupil{number}@school.example", f"198.51.100.{number}", status=400)
    refused(guess_code(service, UNKNOWN, status="any"))
    guess_code(service, person.email, otp=otp, status=200)


def test_the_accounts_of_a_network_have_a_common_limit_for_wrong_codes(app_with, monkeypatch):
    """Attackers may know a network in which many accounts were registered."""
    monkeypatch.setattr(codes, "OWN_OF_ADDRESS", parse_rates("6/day"))
    monkeypatch.setattr(codes, "OWN_OF_NETWORK", parse_rates("8/day"))
    service = app_with({**LIMITED, "competition.accounts.wrong_otps_of_network": "4/day"})
    people = [service.candidate(is_email_verified=False) for _ in range(12)]
    for person in people:
        log_in(service, person.email, password=PASSWORD, status=200)
    emails = [person.email for person in people]
    statuses = [guess_code(service, each, status="any").status_int for each in emails[:8]]
    assert statuses == [400] * 6 + [429] * 2
    statuses = [
        guess_code(service, each, "198.51.100.8", status="any").status_int for each in emails[8:]
    ]
    assert statuses == [400] * 2 + [429] * 2


def test_a_rejected_guess_leaves_the_accounts_limit_as_it_was(app_with):
    few = {"competition.accounts.wrong_otps": "3/day"}
    service = app_with({**LIMITED, **few, "competition.accounts.wrong_otps_of_address": "1/day"})
    guess_code(service, "another@school.example", status=400)
    for _ in range(5):
        refused(guess_code(service, UNKNOWN, status="any"))
    for number in range(3):
        guess_code(service, UNKNOWN, f"203.0.113.{number}", status=400)
    refused(guess_code(service, UNKNOWN, "203.0.113.9", status="any"))


def test_a_named_network_has_its_own_limit_for_wrong_codes(app_with):
    service = app_with({**LIMITED, **NETWORK})
    for number in range(9):
        guess_code(service, f"pupil{number}@school.example", SCHOOL, status=400)
    guess_code(service, "another@school.example", SCHOOL, status=429, code="throttle_exceeded")


@pytest.mark.parametrize("known", [True, False])
def test_twenty_wrong_codes_a_day_are_allowed_for_an_account(service, known):
    email = service.candidate(is_email_verified=False).email if known else UNKNOWN
    for _ in range(20):
        guess_code(service, email, status=400)
    refused(guess_code(service, email, status="any"))
    guess_code(service, "another@school.example", status=400)


def test_wrong_codes_for_all_purposes_count_together(service):
    for path in ("/verify-email-otp/", "/auth/password-change/confirm-otp/"):
        for _ in range(10):
            service.anonymous.post(path, {"email": UNKNOWN, "otp": "wrong"}, status=400)
    body = {"new_password": PASSWORD, "confirm_password": PASSWORD, "otp": "1", "email": UNKNOWN}
    refused(service.anonymous.post("/auth/password-change/", body, status="any"))


def test_strangers_guesses_leave_the_owner_five_from_a_known_network(service):
    person, otp = with_code(service)
    log_in(service, person.email, password=PASSWORD, status=200)
    for address, _ in zip(strangers(), range(20), strict=False):
        guess_code(service, person.email, address, status=400)
    # The wrong guesses have made that code invalid, but the user can get a new one.
    service.anonymous.post(
        "/send-email-otp/", {"email": person.email}, environ={"REMOTE_ADDR": HOME}
    )
    otp = service.otp(person.email)
    for _ in range(4):
        guess_code(service, person.email, status=400)
    guess_code(service, person.email, otp=otp, status=200)
    guess_code(service, person.email, status=400)
    refused(guess_code(service, person.email, status="any"))


def test_a_known_network_gets_no_more_codes_than_others(service):
    person = service.candidate()
    log_in(service, person.email, password=PASSWORD, status=200)

    def request(status):
        path, home = "/auth/password-change/request/", {"REMOTE_ADDR": HOME}
        return service.anonymous.post(path, {"email": person.email}, environ=home, status=status)

    for _ in range(3):
        request(200)
    refused(request(429))


def test_right_codes_are_not_counted(service):
    person = service.candidate()
    body = {"email": person.email}
    service.anonymous.post("/auth/password-change/request/", body)
    proof = {**body, "otp": service.otp(person.email)}
    for _ in range(30):
        service.anonymous.post("/auth/password-change/confirm-otp/", proof, status=200)
    assert not [
        each
        for each in service.runtime.redis.keys("limit:action:accounts.otp:*")
        if int(service.runtime.redis.get(each))
    ]


def test_a_right_code_with_a_weak_password_is_not_counted(service):
    person = service.candidate()
    service.anonymous.post("/auth/password-change/request/", {"email": person.email})
    otp = service.otp(person.email)
    weak = {"new_password": "aaaaaaaa", "confirm_password": "aaaaaaaa"}
    body = {"email": person.email, "otp": otp, **weak}
    for _ in range(25):
        service.anonymous.post("/auth/password-change/", body, status=400)
    service.anonymous.post(
        "/auth/password-change/",
        {**body, "new_password": "rings and ideals", "confirm_password": "rings and ideals"},
        status=200,
    )


def test_simultaneous_wrong_codes_do_not_exceed_the_limit(live_with):
    service = live_with({**LIMITED, "competition.accounts.wrong_otps": "5/day"})
    replies = together(12, lambda _: guess_code(service, UNKNOWN, status="any").status_int)
    assert sorted(replies) == [400] * 5 + [429] * 7


# Passwords


@pytest.mark.parametrize("known", [True, False])
def test_wrong_passwords_for_an_account_are_limited(app_with, known):
    service = app_with({**LIMITED, "competition.accounts.wrong_passwords": "7/hour"})
    email = service.candidate().email if known else UNKNOWN
    for address, _ in zip(strangers(), range(7), strict=False):
        log_in(service, email, address, status=401)
    refused(log_in(service, email, status="any"))


def test_each_further_limit_for_wrong_passwords_waits_longer(app_with):
    rates = {"competition.accounts.wrong_passwords": "5/hour 10/day 15/7day"}
    service = app_with({**LIMITED, **rates})
    waits = []
    for _ in range(3):
        for _ in range(5):
            log_in(service, UNKNOWN, status=401)
        waits.append(int(log_in(service, UNKNOWN, status=429).headers["Retry-After"]))
        hour = service.runtime.redis.keys("limit:action:accounts.password:account:*:3600")
        day = (
            service.runtime.redis.keys("limit:action:accounts.password:account:*:86400")
            if waits[-1] > 3600
            else []
        )
        # End the waiting time.
        service.runtime.redis.delete(*hour, *day)
    assert waits[0] <= 3600 < waits[1] <= 86400 < waits[2] <= 7 * 86400


@pytest.fixture
def few_wrong_passwords(app_with, monkeypatch):
    """A service with small limits on the wrong passwords of an address and a network."""
    limits = {"WRONG_OF_ADDRESS": 3, "WRONG_OF_NETWORK": 5, "MOST_OF_ADDRESS": 6}
    for name, limit in {**limits, "MOST_OF_NETWORK": 8}.items():
        monkeypatch.setattr(login, name, parse_rates(f"{limit}/day"))
    return app_with(LIMITED)


def spray(service, count, block="198.51.100.7"):
    """The statuses of a wrong password for each of `count` accounts. `block` is the address, or has
    a place for its last number."""
    emails = [f"pupil{number}@school.example" for number in range(count)]
    addresses = [block.format(number) for number in range(count)]
    return [
        log_in(service, email, address, status="any").status_int
        for email, address in zip(emails, addresses, strict=True)
    ]


@pytest.mark.parametrize(
    ("block", "limit"),
    [("198.51.100.7", 3), ("2001:db8:1:{}::1", 3), ("198.51.100.{}", 5), ("2001:db8:{}::1", 7)],
)
def test_wrong_passwords_are_limited_over_all_accounts(few_wrong_passwords, block, limit):
    assert spray(few_wrong_passwords, 7, block) == [401] * limit + [429] * (7 - limit)


def test_the_right_password_opens_an_account_from_a_limited_address(few_wrong_passwords):
    service = few_wrong_passwords
    person = service.candidate()
    assert spray(service, 5)[-1] == 429
    for _ in range(2):
        log_in(service, person.email, password=PASSWORD, status=200)


def test_an_address_with_very_many_wrong_passwords_can_check_none(few_wrong_passwords):
    service = few_wrong_passwords
    known, unknown = service.candidate(), service.candidate()
    log_in(service, known.email, password=PASSWORD, status=200)
    spray(service, 6)
    refused(log_in(service, unknown.email, password=PASSWORD, status="any"))
    log_in(service, unknown.email, "203.0.113.1", PASSWORD, status=200)
    # The network is known for this account.
    log_in(service, known.email, status=401)
    log_in(service, known.email, password=PASSWORD, status=200)


def test_a_named_network_has_no_limit_on_wrong_passwords_for_all_accounts(app_with, monkeypatch):
    monkeypatch.setattr(login, "WRONG_OF_ADDRESS", parse_rates("1/day"))
    service = app_with({**LIMITED, "competition.ratelimit.networks": "198.51.100.0/24=99/minute"})
    assert spray(service, 4) == [401] * 4


def use_up(service, email):
    """Use up the account's five wrong passwords, from addresses of strangers."""
    for address, _ in zip(strangers(), range(5), strict=False):
        log_in(service, email, address, status=401)


# With a limit of 5 per account, the tests reach the limit of each network.
FEW = {**LIMITED, "competition.accounts.wrong_passwords": "5/hour"}


def test_strangers_do_not_lock_the_owner_out_of_a_known_network(app_with):
    service = app_with(FEW)
    person = service.candidate()
    log_in(service, person.email, password=PASSWORD, status=200)
    use_up(service, person.email)
    for _ in range(10):
        log_in(service, person.email, password=PASSWORD, status=200)
    # The owner may have another address of the same network.
    for _ in range(5):
        log_in(service, person.email, "198.51.100.99", status=401)
    refused(log_in(service, person.email, password=PASSWORD, status="any"))


@pytest.mark.parametrize(
    ("known", "near", "far"),
    [
        ("198.51.100.7", "198.51.100.250", "198.51.101.7"),
        ("2001:db8:1:2::7", "2001:db8:1:ffff::1", "2001:db8:2:2::7"),
    ],
)
def test_a_network_is_known_by_its_first_24_or_48_bits(app_with, known, near, far):
    service = app_with(FEW)
    person = service.candidate()
    log_in(service, person.email, known, PASSWORD, status=200)
    use_up(service, person.email)
    log_in(service, person.email, near, PASSWORD, status=200)
    refused(log_in(service, person.email, far, PASSWORD, status="any"))


def test_addresses_of_an_ipv6_network_share_one_limit(app_with):
    service = app_with(FEW)
    person = service.candidate()
    log_in(service, person.email, "2001:db8:1::1", PASSWORD, status=200)
    use_up(service, person.email)
    for number in range(5):
        log_in(service, person.email, f"2001:db8:1:{number}::1", status=401)
    refused(log_in(service, person.email, "2001:db8:1:99::1", status="any"))


def test_a_network_is_known_only_for_the_account_that_logged_in(app_with):
    service = app_with(FEW)
    person, other = service.candidate(), service.candidate()
    log_in(service, other.email, password=PASSWORD, status=200)
    use_up(service, person.email)
    refused(log_in(service, person.email, password=PASSWORD, status="any"))


def test_a_network_is_known_for_90_days(app_with):
    service = app_with(FEW)
    person = service.candidate()
    log_in(service, person.email, password=PASSWORD, status=200)
    use_up(service, person.email)
    service.clock.advance(days=89)
    log_in(service, person.email, password=PASSWORD, status=200)
    service.clock.advance(days=89)
    log_in(service, person.email, password=PASSWORD, status=200)
    service.clock.advance(days=90)
    refused(log_in(service, person.email, password=PASSWORD, status="any"))
    service.forget("core.known_networks")
    with begin(service.runtime) as work:
        assert work.db.scalars(select(KnownNetwork)).all() == []


def test_known_networks_are_stored_as_digests_exported_and_erased(service):
    person = service.candidate()
    for _ in range(2):
        log_in(service, person.email, password=PASSWORD, status=200)
    with begin(service.runtime) as work:
        [row] = work.db.scalars(select(KnownNetwork))
        assert len(row.digest) == 64
        exported = personal_data.export(work, person.id)["networks"]
        assert exported == [{"last_login_at": service.clock.now}]
    with begin(service.runtime) as work:
        personal_data.erase(work, person.id)
    with begin(service.runtime) as work:
        assert work.db.scalars(select(KnownNetwork)).all() == []


def test_a_named_network_counts_as_known_before_the_first_login(app_with):
    """An operator has named the network in the settings. So a pupil can log in there for the first
    time, even while strangers are guessing.
    """
    service = app_with({**FEW, **NETWORK})
    person = service.candidate()
    use_up(service, person.email)
    log_in(service, person.email, SCHOOL, PASSWORD, status=200)


def test_right_passwords_are_not_counted(app_with):
    service = app_with({**LIMITED, "competition.accounts.wrong_passwords": "5/hour"})
    person = service.candidate()
    for _ in range(4):
        log_in(service, person.email, status=401)
    for _ in range(10):
        log_in(service, person.email, password=PASSWORD, status=200)
    log_in(service, person.email, SCHOOL, status=401)
    refused(log_in(service, person.email, SCHOOL, status="any"))


def test_a_login_without_a_password_is_not_counted(app_with):
    """A login without a password is no guess. Guesses are counted before the rest of the body is
    validated.
    """
    service = app_with({**LIMITED, "competition.accounts.wrong_passwords": "6/hour"})
    person = service.candidate()
    for _ in range(9):
        body = {"email": person.email}
        environ = {"REMOTE_ADDR": SCHOOL}
        service.anonymous.post("/auth/login/", body, environ=environ, status=400)
    for _ in range(6):
        log_in(service, person.email, SCHOOL, status=401)
    assert refused(log_in(service, person.email, SCHOOL, status="any"))


def test_a_login_rejected_by_a_rate_limit_is_not_counted_as_a_guess(app_with):
    one = {"competition.ratelimit.anonymous": "1/minute"}
    service = app_with({**LIMITED, **one, "competition.accounts.wrong_passwords": "6/hour"})
    person = service.candidate()
    for _ in range(9):
        log_in(service, person.email, SCHOOL, status="any")
    # The first guess was counted.
    for code in (*(["authentication_failed"] * 5), "rate_limit_exceeded"):
        service.runtime.redis.delete(f"limit:anonymous:{SCHOOL}:{person.email}:60")
        assert log_in(service, person.email, SCHOOL, status="any").json["code"] == code


def test_a_classmate_does_not_lock_an_account_out_for_the_day(app_with):
    """The settings name the school's network. Guesses from this network lock an account for a short
    time only.
    """
    service = app_with({"competition.ratelimit.enabled": "true", **NETWORK})
    person = service.candidate()
    for _ in range(13):
        for _ in range(5):
            log_in(service, person.email, SCHOOL, status=401)
        refusal = log_in(service, person.email, SCHOOL, status=429)
        assert int(refusal.headers["Retry-After"]) <= 60
        # End the period of one minute.
        service.runtime.redis.delete(*service.runtime.redis.keys("limit:*:60"))
    log_in(service, person.email, SCHOOL, PASSWORD, status=200)


@pytest.mark.parametrize("code", [True, False])
def test_five_wrong_guesses_of_a_classmate_do_not_block_the_owner(service, code):
    person, _ = with_code(service)
    for _ in range(5):
        if code:
            guess_code(service, person.email, SCHOOL, status=400)
        else:
            log_in(service, person.email, SCHOOL, status=401)
    service.anonymous.post("/send-email-otp/", {"email": person.email})
    guess_code(service, person.email, SCHOOL, service.otp(person.email), status=200)
    log_in(service, person.email, SCHOOL, PASSWORD, status=200)


def test_a_known_and_an_unknown_account_take_the_same_statements(app, statements):
    known = app.candidate().email
    app.log_in(known)
    tries = {
        email: lambda email=email: guess_code(app, email, status=400) for email in (known, UNKNOWN)
    }
    codes = counts(statements, tries)
    tries = {email: lambda email=email: log_in(app, email, status=401) for email in tries}
    logins = counts(statements, tries)
    assert codes[known] == codes[UNKNOWN] and logins[known] == logins[UNKNOWN]


# Registering, and requesting codes


def register(service, number, address=HOME, **fields):
    body = {
        "email": f"pupil{number}@school.example",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "phone": "1234567",
        "school": "Hillside School",
        "generate_password": True,
        **fields,
    }
    return service.anonymous.post(
        "/register/candidate/", body, environ={"REMOTE_ADDR": address}, status="any"
    )


def test_registrations_from_an_address_are_limited(app_with):
    service = app_with({**LIMITED, "competition.accounts.registrations_of_address": "3/hour"})
    assert {register(service, number).status_int for number in range(3)} == {201}
    refusal = register(service, 3)
    assert refused(refusal) and int(refusal.headers["Retry-After"]) > 3500
    assert register(service, 4, SCHOOL).status_int == 201


def test_a_named_network_has_its_own_limit_for_registrations(app_with):
    service = app_with({**LIMITED, **NETWORK})
    assert {register(service, number, SCHOOL).status_int for number in range(9)} == {201}
    assert register(service, 9, SCHOOL).json["code"] == "throttle_exceeded"


def test_an_invalid_registration_is_not_counted(app_with):
    service = app_with({**LIMITED, "competition.accounts.registrations_of_address": "1/hour"})
    weak = {"generate_password": False, "password": "aaaaaaaa", "password2": "aaaaaaaa"}
    for _ in range(3):
        assert register(service, 1, **weak).status_int == 400
    assert register(service, 1).status_int == 201
    refused(register(service, 2))


@pytest.mark.parametrize("path", ["/auth/password-change/request/", "/send-email-otp/"])
def test_codes_requested_by_strangers_leave_the_owner_one_request(service, path):
    email = service.candidate().email
    log_in(service, email, password=PASSWORD, status=200)
    for address, _ in zip(strangers(), range(3), strict=False):
        environ = {"REMOTE_ADDR": address}
        service.anonymous.post(path, {"email": email}, environ=environ, status=200)
    environ = {"REMOTE_ADDR": SCHOOL}
    refused(service.anonymous.post(path, {"email": email}, environ=environ, status="any"))
    environ = {"REMOTE_ADDR": HOME}
    service.anonymous.post(path, {"email": email}, environ=environ, status=200)
    refused(service.anonymous.post(path, {"email": email}, environ=environ, status="any"))


def test_strangers_do_not_keep_a_new_candidate_from_verifying_the_email(service):
    new = {"first_name": "Grace", "last_name": "Hopper", "phone": "+49123456789"}
    new |= {"email": "grace@school.example", "school": "Hillside School"}
    new |= {"password": PASSWORD, "password2": PASSWORD}
    home = {"environ": {"REMOTE_ADDR": HOME}, "status": 200}
    service.anonymous.post("/register/candidate/", new, **{**home, "status": 201})
    email = {"email": new["email"]}
    for address, _ in zip(strangers(), range(20), strict=False):
        guess_code(service, new["email"], address, status=400)
    for address, _ in zip(strangers(), range(3), strict=False):
        environ = {"REMOTE_ADDR": address}
        service.anonymous.post("/send-email-otp/", email, environ=environ, status=200)
    service.anonymous.post("/send-email-otp/", email, **home)
    guess_code(service, new["email"], HOME, otp=service.otp(new["email"]), status=200)


def test_ten_codes_a_day_for_all_purposes_are_sent_to_an_account(service):
    email = service.candidate(is_email_verified=False).email
    sent = 0
    paths = ("/auth/password-change/request/", "/send-email-otp/")
    for number, address in zip(range(20), strangers(), strict=False):
        environ = {"REMOTE_ADDR": address}
        reply = service.anonymous.post(
            paths[number % 2], {"email": email}, environ=environ, status="any"
        )
        sent += reply.status_int == 200
        # This ends the period of ten minutes.
        service.runtime.redis.delete(*service.runtime.redis.keys("limit:action:*:600"))
    assert sent == 10
    assert int(reply.headers["Retry-After"]) > 86000


def test_without_limits_nothing_is_counted(app):
    for _ in range(25):
        guess_code(app, UNKNOWN, status=400)
    assert {register(app, number).status_int for number in range(61)} == {201}
    assert app.runtime.redis.keys("limit:*") == []
