import json

import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from competition.core.plugins import build
from competition.testing.document import operations

pytestmark = pytest.mark.needs("docs")


@pytest.fixture
def document(app):
    return app.anonymous.get("/docs/spec").json


def described(document):
    for method, path, description in operations(document):
        yield f"{method} {path}", description


def media(document):
    """Where it stands, and each body that comes in or goes out."""
    for where, operation in described(document):
        for kind, body in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{where} {kind}", body
        for status, response in operation["responses"].items():
            for kind, body in response.get("content", {}).items():
                yield f"{where} {status} {kind}", body
    for name, response in document["components"]["responses"].items():
        yield name, response["content"]["application/json"]


def test_the_document_is_valid_openapi(document):
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    assert document["servers"] == [{"url": "https://league.example/v1"}]
    assert document["info"]["description"]


def test_a_plugin_names_and_describes_its_operations(document):
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert document["paths"]["/health/"]["get"]["tags"] == ["service"]
    assert all(tags.values())
    for where, operation in described(document):
        assert set(operation["tags"]) <= set(tags), where


def test_a_plugin_switched_off_leaves_the_document(base_settings):
    config = build({**base_settings, "competition.plugins": "docs"})
    config.make_wsgi_app()
    document = config.registry.document
    config.registry.runtime.close()
    assert {path.split("/")[1] for path in document["paths"]} == {
        "files",
        "health",
        "ready",
        "docs",
    }
    assert [tag["name"] for tag in document["tags"]] == ["service", "docs"]


def test_every_example_is_what_its_schema_takes(document):
    for where, body in media(document):
        given = [body["example"]] if "example" in body else []
        given += [each["value"] for each in body.get("examples", {}).values()]
        validator = jsonschema.Draft202012Validator({**document, **body["schema"]})
        for each in given:
            assert not list(validator.iter_errors(each)), (where, each)


def test_every_body_that_comes_in_has_an_example(document):
    for where, operation in described(document):
        for kind, body in operation.get("requestBody", {}).get("content", {}).items():
            assert body["example"], (where, kind)


def test_every_shape_that_goes_out_has_an_example(document):
    for where, body in media(document):
        if body["schema"].get("$ref"):
            assert body.get("example") or body["examples"], where


def test_every_operation_is_described(document):
    for where, operation in described(document):
        assert operation["summary"].endswith((".", "?")), where
        assert "Access: " in operation["description"], where
        for schemes in operation["security"]:
            assert set(schemes) <= set(document["components"]["securitySchemes"]), where
        for parameter in operation["parameters"]:
            assert parameter["description"], (where, parameter["name"])
        for response in operation["responses"].values():
            assert response.get("$ref") or response["description"], where


def test_what_others_read_cites_no_page_of_ours(document):
    assert "decisions" not in json.dumps(document)


def test_every_refusal_lists_its_codes(document):
    for name, response in document["components"]["responses"].items():
        shape = response["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        [envelope, listed] = document["components"]["schemas"][shape]["allOf"]
        # Or one that adds fields to it.
        shape = document["components"]["schemas"][envelope["$ref"].rpartition("/")[2]]
        assert shape["required"] == ["detail", "code"]
        assert {"detail", "code", "errors"} <= set(shape["properties"])
        assert listed["properties"]["code"]["enum"], name


def has_pages(document, operation):
    """A leaderboard and the questions of an exam's detail have an order of their own."""
    content = operation["responses"].get("200", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "/").rpartition("/")[2]
    shape = document["components"]["schemas"].get(name, {"properties": {}})
    return {"results", "pagination"} <= set(shape["properties"])


def test_every_list_can_be_paged_ordered_searched_and_bounded(document):
    for where, operation in described(document):
        if not has_pages(document, operation):
            continue
        query = {each["name"]: each["schema"] for each in operation["parameters"]}
        common = {"page", "limit", "page_size", "search", "created_after", "created_before"}
        assert common <= set(query), where
        assert query["limit"]["maximum"] == 100
        names = query["ordering"]["enum"]
        assert [f"-{name}" for name in names[::2]] == names[1::2], where


def test_a_form_says_which_files_it_takes(document):
    for where, operation in described(document):
        content = operation.get("requestBody", {}).get("content", {})
        if "multipart/form-data" not in content:
            continue
        form = content["multipart/form-data"]
        for name, encoding in form["encoding"].items():
            schema = form["schema"]["properties"][name]
            assert schema["format"] == "binary", where
            assert "MB" in schema["description"]
            assert "image/png" in encoding["contentType"]


def test_fixtures_make_people(app):
    assert app.user(app.staff("manager")).role == "manager"
