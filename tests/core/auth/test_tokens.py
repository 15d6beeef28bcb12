"""Which tokens the service accepts."""

import warnings
from base64 import urlsafe_b64encode
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import jwt
import pytest

from competition.core.auth.keyring import Keyring
from competition.core.auth.tokens import Tokens, TokenSettings
from competition.core.errors import InvalidToken
from competition.core.runtime import system_clock

NOW = system_clock().replace(microsecond=0)
OLD, NEW = "old key of a service that rotates", "new key of a service that rotates"
SETTINGS = TokenSettings()


@pytest.fixture
def tokens():
    return Tokens(SETTINGS, Keyring((NEW, OLD)))


def issue(tokens, token_type="access"):
    return tokens.issue(token_type, uuid4(), uuid4(), uuid4(), NOW)


def signed(payload, key=NEW, algorithm="HS256"):
    [key] = Keyring((key,)).derived("tokens")
    with warnings.catch_warnings():
        # The key of this test is too short for other algorithms than HS256.
        warnings.simplefilter("ignore", jwt.InsecureKeyLengthWarning)
        return jwt.encode(payload, key, algorithm=algorithm)


def claims(**changes):
    people = {name: str(uuid4()) for name in ("sub", "sid", "jti")}
    times = {"iat": int(NOW.timestamp()), "exp": int(NOW.timestamp()) + 60}
    return {**people, **times, "token_type": "access", **changes}


def without(name):
    found = claims()
    del found[name]
    return found


def test_an_issued_token_is_valid_until_it_expires(tokens):
    user_id, session_id, jti = uuid4(), uuid4(), uuid4()
    token = tokens.issue("access", user_id, session_id, jti, NOW)
    read = tokens.read(token, "access", NOW)
    assert (read.user_id, read.session_id, read.jti) == (user_id, session_id, jti)
    end = NOW + timedelta(seconds=SETTINGS.access_lifetime)
    assert read.expires_at == end
    tokens.read(token, "access", end - timedelta(microseconds=1))
    with pytest.raises(InvalidToken):
        tokens.read(token, "access", end)


@pytest.mark.parametrize("token_type", ["access", "refresh"])
def test_a_token_equals_the_one_of_a_standard_library(tokens, token_type):
    """Every byte is the same. During the grace period of a refresh token, the service creates the
    same token again, and another version of the service may do so.
    """
    user_id, session_id, jti = uuid4(), uuid4(), uuid4()
    lifetime = getattr(SETTINGS, f"{token_type}_lifetime")
    payload = {
        "sub": str(user_id),
        "sid": str(session_id),
        "jti": str(jti),
        "token_type": token_type,
        "iat": int(NOW.timestamp()),
        "exp": int(NOW.timestamp()) + lifetime,
    }
    late = NOW + timedelta(microseconds=999_999)
    assert tokens.issue(token_type, user_id, session_id, jti, late) == signed(payload)


def test_a_token_is_valid_only_for_its_type(tokens):
    with pytest.raises(InvalidToken):
        tokens.read(issue(tokens, "refresh"), "access", NOW)


def test_tokens_of_every_configured_key_are_valid_and_of_no_other(tokens):
    for key in (NEW, OLD):
        tokens.read(signed(claims(), key=key), "access", NOW)
    with pytest.raises(InvalidToken):
        tokens.read(signed(claims(), key="a key of somebody else's, as long"), "access", NOW)


@pytest.mark.parametrize(
    "token",
    [
        signed(claims(sub="nobody")),
        signed(claims(sub=7)),
        signed(claims(jti=7)),
        signed(claims(sid=None)),
        signed(claims(sid=["a"])),
        signed(claims(token_type=["access"])),
        signed(claims(exp="never")),
        signed(claims(exp=True)),
        signed(claims(exp=1e300)),
        signed(claims(exp=10**12)),
        signed(claims(exp=10**30)),
        signed(claims(iat="now")),
        signed(claims(aud="somebody")),
        *(signed(without(name)) for name in claims()),
        signed({}),
        signed(claims(), algorithm="HS512"),
    ],
)
def test_a_signed_token_that_the_service_would_not_issue_is_rejected(tokens, token):
    with pytest.raises(InvalidToken):
        tokens.read(token, "access", NOW)


def encoded(text):
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def test_times_are_never_compared_with_the_real_clock(tokens):
    """Clocks of machines differ, and tests set the service's clock. So only the time that the
    caller passes counts.
    """
    future = int((NOW + timedelta(days=900)).timestamp())
    tokens.read(signed(claims(iat=future, nbf=future, exp=future + 60)), "access", NOW)
    past = NOW - timedelta(days=900)
    old = signed(claims(iat=0, exp=int(past.timestamp()) + 60))
    assert tokens.read(old, "access", past).expires_at == past + timedelta(seconds=60)


def test_any_change_makes_a_token_invalid(tokens):
    token = issue(tokens)
    head, payload, signature = token.split(".")
    other = encoded('{"alg":"none","typ":"JWT"}')
    for changed in (
        "",
        "..",
        "a.b.c",
        f"{other}.{payload}.",
        f"{other}.{payload}.{signature}",
        f"{head}.{payload}",
        f"{head}.{payload}.",
        f"{head}.{payload}.{signature}=",
        f"{head}.{payload}.{signature[:-1]}",
        f"{head}.{payload}A.{signature}",
        f"{token}.{signature}",
        f"{token}é",
        f"{token}\udcff",
        f"{encoded('[' * 50_000)}.{payload}.{signature}",
        f"{encoded('[]')}.{payload}.{signature}",
        "." * 50_000,
    ):
        with pytest.raises(InvalidToken):
            tokens.read(changed, "access", NOW)


def test_the_expiry_uses_the_clock_of_the_work(tokens):
    late = replace(SETTINGS, access_lifetime=1)
    token = Tokens(late, Keyring((NEW,))).issue("access", uuid4(), uuid4(), uuid4(), NOW)
    tokens.read(token, "access", NOW)
    with pytest.raises(InvalidToken):
        tokens.read(token, "access", NOW + timedelta(seconds=1))
