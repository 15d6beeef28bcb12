"""Every operation goes through core's one place for each check of a request: its token, path, query
and body. So these checks need not be repeated for each operation (see test_bad_input.py)."""

import ast
from pathlib import Path

import pytest

import competition.plugins
from competition.core.runtime import API_PREFIX
from competition.core.web.checks import CHECKS
from competition.core.web.policy import secured_endpoint
from competition.core.web.service import endpoints

# What a request has before core has checked it. Views get the arguments of the path, and the rest
# from `request.validated`.
RAW = {
    *("GET", "POST", "params", "matchdict", "matched_route", "query", "query_string", "environ"),
    *("body", "body_file", "body_file_raw", "body_file_seekable", "json", "json_body", "text"),
    *("json_object", "headers", "authorization", "bearer_token", "cookies", "url", "path_qs"),
}
# These views read the header Accept, and the token of the scraper, which is in the settings.
MAY_READ = {
    "docs/views.py": {"headers"},
    "operations/views/metrics.py": {"bearer_token", "headers"},
}


@pytest.fixture(scope="module")
def registry(applications, base_settings):
    application = applications.get(base_settings)
    applications.release()
    return application.config.registry


def category(registry, name):
    return [each["introspectable"] for each in registry.introspector.get_category(name)]


def test_every_operation_has_the_checks_of_core(registry):
    checked = []
    for service in registry.cornice_services.values():
        for method, _, options in service.definitions:
            assert options["validators"] == [*CHECKS], (method, service.name)
            checked.append(options["endpoint"])
    assert {*map(id, checked)} == {*map(id, endpoints(registry))} and checked


def test_every_view_of_the_api_is_one_of_an_operation(registry):
    """Every other view answers that the operation does not exist, or serves the scripts of the
    documentation."""
    in_api = {
        route["name"]
        for route in category(registry, "routes")
        if f"/{route['pattern'].lstrip('/')}".startswith(f"{API_PREFIX}/")
    }
    services = {each.name for each in registry.cornice_services.values()}
    assert in_api - services == {"__/v1/docs/static/"} and services <= in_api
    for view in category(registry, "views"):
        if view["route_name"] in services and view.get("endpoint") is None:
            assert view["callable"].__name__ == "_fallback_view", view["route_name"]


def test_the_policy_is_derived_into_every_view(registry):
    derivers = {each["name"]: each["deriver"] for each in category(registry, "view derivers")}
    assert derivers["secured_endpoint"] is secured_endpoint


def views_of_plugins():
    folder = Path(competition.plugins.__file__).parent
    found = (*folder.glob("*/views.py"), *folder.glob("*/views/*.py"))
    return {str(each.relative_to(folder)): each for each in found}


def reads(path: Path) -> set[str]:
    """The attributes of `request` that a module reads."""
    return {
        node.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "request"
    }


def test_no_view_of_a_plugin_reads_what_core_has_not_checked():
    found = {name: reads(path) & RAW for name, path in views_of_plugins().items()}
    assert {name: raw for name, raw in found.items() if raw} == MAY_READ
    assert len(found) > 20
