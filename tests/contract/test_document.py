import gzip
import json
import typing
from functools import reduce
from importlib import import_module

import jsonschema
import pytest
from webob import Request

from competition.core.plugins import build, installed
from competition.testing.document import operations
from tests.support.document import whole_document


@pytest.fixture
def document(app):
    return app.anonymous.get("/docs/spec").json


def resolved(document, part):
    """The part that a reference refers to. A part without a reference is returned as it is."""
    while "$ref" in part:
        names = part["$ref"].removeprefix("#/").split("/")
        part = reduce(lambda found, name: found[name], names, document)
    return part


def test_schemas_and_responses_are_named_after_types_and_error_codes(document):
    """So a name stays the same when an operation gets more schemas or error codes."""
    components = document["components"]
    codes = {
        code
        for each in components["responses"].values()
        for code in each["content"]["application/json"]["examples"]
    }
    names = {code.title().replace("_", "") for code in codes} | {"Refusal"}
    assert {name.removesuffix("Uncounted") for name in components["responses"]} == names
    assert not [name for name in components["schemas"] if name.startswith("Error4")]


def parts_of(part, pointer=""):
    yield pointer, part
    below = part.items() if isinstance(part, dict) else enumerate(part)
    for name, each in below:
        if isinstance(each, dict | list):
            yield from parts_of(each, f"{pointer}/{name}")


def test_client_generators_of_any_language_can_read_the_document():
    """The open form suits generators for any language.

    Objects may have further fields. If there are alternatives, one of two is null. Enumerations
    declare their type. Bodies have names, and so have values that are not valid identifiers in most
    languages.
    """
    document = whole_document(only_ours=True, closed=False)
    for pointer, part in parts_of(document["components"]["schemas"]):
        if not isinstance(part, dict) or "properties" in pointer.rsplit("/", 1)[-1]:
            continue
        assert part.get("additionalProperties") is not False, pointer
        assert not {"oneOf", "allOf"} & part.keys(), pointer
        choices = [each for each in part.get("anyOf", []) if each != {"type": "null"}]
        assert len(choices) <= 1, pointer
        assert "enum" not in part or isinstance(part.get("type"), str), pointer
        assert "" not in part.get("enum", []) or "BLANK" in part["x-enum-varnames"], pointer
        assert pointer.count("/") == 1 or not part.get("properties"), pointer
    for where, body in media(document):
        if "json" in where and isinstance(body["schema"], dict):
            inner = body["schema"].get("items", body["schema"])
            assert "$ref" in inner or where.startswith("GET /docs/"), where


def shapes_of(package):
    """The TypedDicts of a plugin, with the fields that each declares itself, without inherited
    ones.
    """
    try:
        found = vars(import_module(f"{package}.presenters")).values()
    except ModuleNotFoundError:
        return
    for shape in found:
        if typing.is_typeddict(shape) and shape.__module__.startswith(package):
            hints = typing.get_type_hints(shape, include_extras=True)
            yield shape.__name__, [key for key in hints if "Slot" not in str(hints[key])]


def test_built_in_plugins_describe_all_their_fields():
    schemas = whole_document(only_ours=True, closed=False)["components"]["schemas"]
    packages = [each.module.__name__ for each in installed().values() if each.is_ours]
    unexplained = [
        (f"{package}/glossary.toml", shape, field)
        for package in packages
        for shape, fields in shapes_of(package)
        for field, schema in schemas.get(shape, {"properties": {}})["properties"].items()
        if field in fields and "description" not in schema
    ]
    assert unexplained == []
    # Shapes of request bodies, and fields that plugins add to other shapes.
    assert [
        (name, field)
        for name, schema in schemas.items()
        for field, said in schema.get("properties", {}).items()
        if not {"description", "$ref"} & said.keys()
    ] == []


def test_the_document_has_a_license_and_a_contact(document):
    assert document["info"]["license"]["name"] == "MIT"
    assert document["info"]["contact"]["email"] == "support@league.example"


def test_every_operation_documents_an_error(document):
    for where, operation in described(document):
        assert [status for status in operation["responses"] if status[0] == "4"], where


def test_the_document_is_compressed_for_clients_that_accept_it(app):
    def ask(path="/v1/docs/spec", **headers):
        # WebTest's own client would decompress the reply.
        return Request.blank(path, headers=headers).get_response(app.http.app)

    plain, packed = ask(), ask(**{"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3
    for reply in (plain, packed):
        assert "Accept-Encoding" in reply.headers["Vary"]
    assert packed.headers["ETag"] != plain.headers["ETag"]
    known = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert ask(**known).status_int == 304
    # Responses that may contain a secret are not compressed, because their length would reveal it.
    for path, coding in (("/v1/health", "gzip"), ("/v1/docs/spec", "gzip;q=0")):
        assert "Content-Encoding" not in ask(path, **{"Accept-Encoding": coding}).headers


def described(document):
    for method, path, description in operations(document):
        yield f"{method} {path}", description


def media(document):
    """Every request and response body, with the place where it is declared."""
    for where, operation in described(document):
        for kind, body in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{where} {kind}", body
        for status, response in operation["responses"].items():
            for kind, body in response.get("content", {}).items():
                yield f"{where} {status} {kind}", body
    for name, response in document["components"]["responses"].items():
        yield name, response["content"]["application/json"]


def test_the_document_is_valid_openapi(document):
    # Slow to import, in each worker.
    from openapi_spec_validator import OpenAPIV31SpecValidator

    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    assert document["servers"] == [{"url": "https://league.example/v1"}]
    assert document["info"]["description"]


def test_a_plugin_names_and_describes_its_operations(document):
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert document["paths"]["/health/"]["get"]["tags"] == ["service"]
    assert all(tags.values())
    for where, operation in described(document):
        assert set(operation["tags"]) <= set(tags), where


def test_a_disabled_plugin_is_not_in_the_document(base_settings):
    config = build({**base_settings, "competition.plugins": "docs"})
    config.make_wsgi_app()
    document = config.registry.document
    config.registry.runtime.close()
    assert {path.split("/")[1] for path in document["paths"]} == {
        "files",
        "downloads",
        "health",
        "ready",
        "docs",
    }
    assert [tag["name"] for tag in document["tags"]] == ["service", "docs"]


def test_every_example_matches_its_schema(document):
    for where, body in media(document):
        given = [body["example"]] if "example" in body else []
        given += [each["value"] for each in body.get("examples", {}).values()]
        validator = jsonschema.Draft202012Validator({**document, **body["schema"]})
        for each in given:
            assert not list(validator.iter_errors(each)), (where, each)


def is_without_fields(document, body):
    return resolved(document, body["schema"])["properties"] == {}


def test_every_request_body_has_an_example(document):
    for where, operation in described(document):
        for kind, body in operation.get("requestBody", {}).get("content", {}).items():
            assert body["example"] or is_without_fields(document, body), (where, kind)


def test_every_response_body_has_an_example(document):
    for where, body in media(document):
        if body["schema"].get("$ref"):
            is_empty = where == "Refusal" or is_without_fields(document, body)
            assert is_empty or body.get("example") or body["examples"], where


def test_every_operation_is_described(document):
    for where, operation in described(document):
        assert operation["summary"].endswith((".", "?")), where
        assert "Access: " in operation["description"], where
        for schemes in operation["security"]:
            assert set(schemes) <= set(document["components"]["securitySchemes"]), where
        for parameter in operation["parameters"]:
            assert resolved(document, parameter)["description"], (where, parameter)
        for response in operation["responses"].values():
            assert response.get("$ref") or response["description"], where


def test_the_document_cites_no_decision_records(document):
    assert "decisions" not in json.dumps(document)


def test_every_error_response_lists_its_codes(document):
    for where, operation in described(document):
        for status, response in operation["responses"].items():
            response = resolved(document, response)
            media = response.get("content", {}).get("application/json", {})
            if status[0] not in "45" or "examples" not in media or status == "4XX":
                continue
            # A shape that adds fields to the error is fine, too.
            shape = resolved(document, media["schema"])
            assert shape["required"] == ["detail", "code"], where
            assert {"detail", "code", "errors"} <= set(shape["properties"])
            assert media["examples"], where
            for code in media["examples"]:
                assert f"- `{code}`: " in response["description"], where


def has_pages(document, operation):
    """Whether the operation returns pages of a list, in `results` and `pagination`. Leaderboards
    and an exam's questions have a fixed order, and use other fields.
    """
    content = operation["responses"].get("200", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "/").rpartition("/")[2]
    shape = document["components"]["schemas"].get(name, {"properties": {}})
    return {"results", "pagination"} <= set(shape["properties"])


# The current status of candidates, and ranks. They have a fixed order, and no creation dates to
# filter by.
OF_THE_MOMENT = {
    "GET /exams/{exam_id}/invigilation/",
    "GET /leaderboard/{stage}/{round}/schools/",
    "GET /school/exams/{exam_id}/",
    "GET /school/exams/{exam_id}/results/",
}
# The candidates who advanced by a plan. All of them advanced at the same time.
OF_ONE_TIME = {
    "GET /advancement/{plan_id}/candidates/",
    "GET /imports/{import_id}/rows/",
    # A school has no date, and teachers do not see when a candidate has registered.
    "GET /schools/",
    "GET /school/candidates/",
}


def test_every_list_can_be_paged_ordered_searched_and_bounded(document):
    for where, operation in described(document):
        if not has_pages(document, operation) or where in OF_THE_MOMENT:
            continue
        parameters = [resolved(document, each) for each in operation["parameters"]]
        query = {each["name"]: each["schema"] for each in parameters}
        common = {"page", "limit", "page_size", "search"}
        if where not in OF_ONE_TIME:
            common |= {"created_after", "created_before"}
        assert common <= set(query), where
        assert query["limit"]["maximum"] == 100
        names = query["ordering"]["enum"]
        assert [f"-{name}" for name in names[::2]] == names[1::2], where


def test_a_form_documents_the_accepted_file_types(document):
    for where, operation in described(document):
        content = operation.get("requestBody", {}).get("content", {})
        if "multipart/form-data" not in content:
            continue
        # Generators that support only one media type use the first.
        assert next(iter(content)) == "multipart/form-data", where
        form = content["multipart/form-data"]
        for name, encoding in form["encoding"].items():
            schema = resolved(document, form["schema"])["properties"][name]
            assert schema["format"] == "binary", where
            assert "MB" in schema["description"]
            wanted = "text/csv" if operation["tags"] == ["imports"] else "image/png"
            assert wanted in encoding["contentType"]


def test_fixtures_create_accounts(app):
    assert app.user(app.staff("manager")).role == "manager"
