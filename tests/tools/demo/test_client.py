from collections.abc import Callable

import httpx
import pytest

from tools.demo.client import Client, connect
from tools.demo.errors import CallFailed, DemoError

Handler = Callable[[httpx.Request], httpx.Response]


def client(handler: Handler) -> Client:
    http = httpx.Client(transport=httpx.MockTransport(handler))
    return Client(http, "https://league.example/v1", {"X-Api-Key": "key"})


def echo(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"url": str(request.url), "headers": dict(request.headers)})


def test_every_call_sends_the_api_key_and_a_users_calls_also_the_token() -> None:
    anonymous = client(echo)
    assert anonymous.get("/exams/")["headers"]["x-api-key"] == "key"
    assert "authorization" not in anonymous.get("/exams/")["headers"]
    reply = anonymous.acting_for("token").get("/exams/")
    assert reply["headers"]["authorization"] == "Bearer token"
    assert reply["headers"]["x-api-key"] == "key"


def test_a_temporary_link_is_followed_without_headers() -> None:
    def link(request: httpx.Request) -> httpx.Response:
        assert not {"x-api-key", "authorization"} & set(request.headers)
        return httpx.Response(200, content=b"picture")

    url = "https://files.example/card.png?signature=1"
    assert client(link).acting_for("token").download(url) == b"picture"


def test_an_error_names_method_path_status_and_body() -> None:
    body = {"detail": "Not now.", "code": "exam_not_open"}
    with pytest.raises(CallFailed) as caught:
        client(lambda request: httpx.Response(403, json=body)).get("/exams/7/take-exam/")
    assert caught.value.code == "exam_not_open"
    text = str(caught.value)
    assert text.startswith("GET /v1/exams/7/take-exam/ answered 403: {")
    assert "Not now." in text


@pytest.mark.parametrize("body", [b"<h1>Bad Gateway</h1>", b"[]", b"{}", b""])
def test_an_error_from_elsewhere_has_no_code(body: bytes) -> None:
    with pytest.raises(CallFailed, match="answered 502") as caught:
        client(lambda request: httpx.Response(502, content=body)).get("/exams/")
    assert caught.value.code == ""


def test_a_missing_answer_is_an_error() -> None:
    no_answer = pytest.raises(DemoError, match="GET /v1/health/: no answer")
    with connect("http://127.0.0.1:1/v1", "key") as nobody, no_answer:
        nobody.get("/health/")


def test_a_busy_service_is_called_again_after_retry_after() -> None:
    """The service answers with 503 if too many registrations in a row have to hash passwords."""
    replies = [httpx.Response(503, headers={"Retry-After": "0"})] * 2 + [httpx.Response(204)]
    assert client(lambda request: replies.pop(0)).post("/register/candidate/", {}) is None
    assert replies == []
    for refusal in (httpx.Response(503, headers={"Retry-After": "0"}), httpx.Response(503)):
        with pytest.raises(CallFailed, match="answered 503"):
            client(lambda request, reply=refusal: reply).get("/exams/")


def test_an_empty_reply_is_returned_as_none() -> None:
    assert client(lambda request: httpx.Response(204)).post("/auth/logout/") is None


def test_all_pages_are_read_with_the_same_query() -> None:
    asked = []

    def page(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url.query, "ascii"))
        return httpx.Response(200, json={"pagination": {"has_next": len(asked) < 3}})

    assert len(list(client(page).pages("/leaderboard/", stage="league"))) == 3
    assert asked == [f"stage=league&page={number}" for number in (1, 2, 3)]
