"""The route of a path is the first that was declared of those that fit."""

import pytest
from pyramid.request import Request
from pyramid.urldispatch import RoutesMapper

from competition.core.web.routes import Routes

PATTERNS = (
    "/v1/exams/",
    "/v1/exams/{exam_id:[0-9]{1,20}}/",
    "/v1/exams/{word}/",
    "/v1/exams/{exam_id:[0-9]{1,20}}/draft/",
    "/v1/exams/{exam_id:[0-9]{1,20}}/{what}/",
    "/v1/exams/{path:a/b}/late/",
    "/v1/exams/{path:c/d}",
    "/v1/{kind}/me/",
    "/v1/staff/me/",
    "/v1/staff/{staff_id}/",
    "/v1/files/{name:.+?}",
    "/{anything}",
    "/docs/*subpath",
    "/v1/staff/late/",
)


@pytest.fixture(params=[Routes, RoutesMapper])
def mapper(request):
    mapper = request.param()
    for pattern in PATTERNS:
        mapper.connect(pattern, pattern)
    return mapper


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("/v1/exams/", "/v1/exams/"),
        ("/v1/exams/7/", "/v1/exams/{exam_id:[0-9]{1,20}}/"),
        ("/v1/exams/seven/", "/v1/exams/{word}/"),
        ("/v1/exams/7/draft/", "/v1/exams/{exam_id:[0-9]{1,20}}/draft/"),
        ("/v1/exams/7/late/", "/v1/exams/{exam_id:[0-9]{1,20}}/{what}/"),
        ("/v1/exams/a/b/late/", "/v1/exams/{path:a/b}/late/"),
        ("/v1/exams/c/d", "/v1/exams/{path:c/d}"),
        ("/v1/exams/7/draft", None),
        ("/v1/exams/7/draft//", None),
        # One that begins in any way was declared before.
        ("/v1/staff/me/", "/v1/{kind}/me/"),
        ("/v1/others/me/", "/v1/{kind}/me/"),
        ("/v1/staff/late/", "/v1/staff/{staff_id}/"),
        ("/v1/files/a/b/c.pdf", "/v1/files/{name:.+?}"),
        ("/docs/swagger/index.html", "/docs/*subpath"),
        ("/something", "/{anything}"),
        ("/v1/nothing/of/this/", None),
        ("/v1//exams/", None),
        ("/", None),
        ("/v1/examsX/", None),
    ],
)
def test_the_first_that_fits_is_found(mapper, path, pattern):
    route = mapper(Request.blank(path))["route"]
    assert (route and route.pattern) == pattern


def test_one_that_is_declared_later_is_found_too(mapper):
    assert mapper(Request.blank("/v1/late/1/"))["route"] is None
    mapper.connect("late", "/v1/late/{number}/")
    assert mapper(Request.blank("/v1/late/1/"))["match"] == {"number": "1"}


def test_only_those_that_begin_alike_are_tried():
    routes = Routes()
    tried = []
    for name in ("exams", "staff"):
        route = routes.connect(name, f"/v1/{name}/{{id}}/")
        route.match = lambda path, name=name: tried.append(name)
    routes(Request.blank("/v1/staff/1/"))
    assert tried == ["staff"]
