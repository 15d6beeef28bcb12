from datetime import date, datetime
from types import SimpleNamespace
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
from uuid import UUID

import colander
import pytest

from competition.core import schemas
from competition.core.schemas import Schema, array, drop, node
from competition.core.web.endpoint import Deprecation, Endpoint
from competition.plugins.docs.document.openapi import document
from competition.plugins.docs.document.shapes import Components, Part, input_schema, output_schema


class Leaf(TypedDict):
    id: int
    note: NotRequired[str | None]


class Branch(TypedDict):
    leaves: list[Leaf]
    parent: "Branch | None"


class WideLeaf(Leaf):
    width: float


@pytest.fixture
def components():
    return Components()


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None | int, {"anyOf": [{"type": "null"}, {"type": "integer"}]}),
        (datetime, {"type": "string", "format": "date-time"}),
        (date, {"type": "string", "format": "date"}),
        (UUID, {"type": "string", "format": "uuid"}),
        (Any, {}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[1, 2], {"enum": [1, 2]}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
        (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),  # noqa: UP007
    ],
)
def test_a_type_has_its_schema(components, hint, schema):
    assert output_schema(hint, components) == schema
    assert components.schemas == {}


def test_a_typed_dict_becomes_a_closed_component(components):
    assert output_schema(Leaf, components) == {"$ref": "#/components/schemas/Leaf"}
    assert components.schemas["Leaf"] == {
        "type": "object",
        "additionalProperties": False,
        "required": ["id"],
        "properties": {
            "id": {"type": "integer"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
    }


def test_a_schema_can_contain_others_and_itself(components):
    output_schema(Branch, components)
    assert set(components.schemas) == {"Leaf", "Branch"}
    properties = components.schemas["Branch"]["properties"]
    assert properties["leaves"]["items"] == {"$ref": "#/components/schemas/Leaf"}
    assert {"$ref": "#/components/schemas/Branch"} in properties["parent"]["anyOf"]


def test_a_schema_has_inherited_fields(components):
    output_schema(WideLeaf, components)
    assert set(components.schemas["WideLeaf"]["properties"]) == {"id", "note", "width"}
    assert set(components.schemas["WideLeaf"]["required"]) == {"id", "width"}


def test_two_schemas_can_not_share_a_name(components):
    other = TypedDict("Leaf", {"id": int})  # noqa: UP013  # of another module
    other.__module__ = "elsewhere"
    output_schema(Leaf, components)
    with pytest.raises(TypeError, match=r"elsewhere.*Leaf"):
        output_schema(other, components)


@pytest.mark.parametrize("hint", [object, set[int], tuple[int, str], bytes, SimpleNamespace])
def test_a_type_without_a_json_schema_is_rejected(components, hint):
    with pytest.raises(TypeError, match="has no JSON Schema"):
        output_schema(hint, components)


class Candidate(TypedDict):
    kind: Literal["candidate"]
    name: str
    school: str


class Member(TypedDict):
    kind: Literal["staff"]
    name: str


@pytest.fixture
def served():
    parts = {"tests": Part("tests", glossary={"name": "The full name.", "Leaf": {"id": "Its id."}})}
    return Components(parts, closed=False)


def test_served_schemas_are_open_and_describe_their_fields(served):
    output_schema(Leaf, served)
    assert served.schemas["Leaf"] == {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "integer", "description": "Its id."},
            "note": {"type": ["string", "null"]},
        },
    }


@pytest.mark.parametrize("hint", [Candidate | Member, list[Candidate] | list[Member]])
def test_alternatives_are_served_as_one_schema_with_all_fields(served, hint):
    schema = output_schema(hint, served)
    assert schema.get("items", schema) == {"$ref": "#/components/schemas/CandidateOrMember"}
    assert list(served.schemas) == ["CandidateOrMember"]
    shape = served.schemas["CandidateOrMember"]
    assert shape["required"] == ["kind", "name"]
    assert shape["properties"] == {
        "kind": {"type": "string", "enum": ["candidate", "staff"]},
        "name": {"type": "string", "description": "The full name."},
        "school": {"type": "string"},
    }
    assert served.firsts["CandidateOrMember"]["required"] == ["kind", "name", "school"]


def test_a_nullable_schema_is_not_merged(served):
    [reference, null] = output_schema(Leaf | None, served)["anyOf"]
    assert (reference, null) == ({"$ref": "#/components/schemas/Leaf"}, {"type": "null"})


class Nested(Schema):
    size = node(schemas.Integer(1, 9))
    colour = node(schemas.Choice(["red", "blue"]), missing="red")


class Body(Schema):
    title = node(schemas.Text(1, 20))
    note = node(schemas.Nullable(schemas.Text(0, 5)), missing=drop)
    one = Nested()
    many = array(Nested(), 10)


def test_an_input_schema_lists_required_fields_and_allows_others():
    schema = input_schema(Body())
    assert schema["required"] == ["title", "one", "many"]
    assert "additionalProperties" not in schema
    properties = schema["properties"]
    assert properties["title"] == {"type": "string", "minLength": 1, "maxLength": 20}
    assert properties["note"]["type"] == ["string", "null"]
    assert properties["one"]["required"] == ["size"]
    assert properties["one"]["properties"]["size"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
    }
    assert properties["one"]["properties"]["colour"]["enum"] == ["red", "blue"]
    assert properties["many"]["type"] == "array"
    assert properties["many"]["items"] == properties["one"]


def test_served_input_schemas_have_names(served):
    part = Part("tests", prefix="notes", glossary={"title": "What it is about."})
    served.parts["tests"] = part
    assert input_schema(Body(), served, part) == {"$ref": "#/components/schemas/NotesBody"}
    assert set(served.schemas) == {"NotesBody", "NotesNested"}
    properties = served.schemas["NotesBody"]["properties"]
    assert properties["title"]["description"] == "What it is about."
    assert properties["many"]["items"] == {"$ref": "#/components/schemas/NotesNested"}


def test_input_and_output_schemas_have_different_names(served):
    class Leaf(Schema):
        id = node(schemas.Integer(1))

    output_schema(globals()["Leaf"], served)
    reference = input_schema(Leaf(), served, Part("tests"))
    assert reference == {"$ref": "#/components/schemas/LeafInput"}
    other = type("Leaf", (Schema,), {})
    with pytest.raises(TypeError, match="both name a shape LeafInput"):
        input_schema(other(), served, Part("tests"))


def test_an_input_schema_has_descriptions_and_defaults():
    class Described(Schema):
        colour = node(schemas.Choice(["red", "blue"]), missing="red", description="Its colour.")
        size = node(schemas.Integer(1), missing=None)

    properties = input_schema(Described())["properties"]
    assert properties["colour"]["description"] == "Its colour."
    assert properties["colour"]["default"] == "red"
    assert "default" not in properties["size"]


def test_the_input_schema_of_a_patch_requires_nothing():
    assert "required" not in input_schema(schemas.partial(Body, "BodyChanges")())


def test_an_optional_list_is_not_required():
    class Optionally(Schema):
        many = array(colander.SchemaNode(schemas.Uuid()), 3, missing=())

    assert "required" not in input_schema(Optionally())


def describe(endpoint):
    parts = {"tests": Part("tests", "Endpoints of the tests.")}
    return document([endpoint], parts, "https://league.example/v1", "1")


def endpoint(view, **declared):
    from competition.core.auth.access import API_KEY, USER

    declared.setdefault("access", USER if declared.pop("user", False) else API_KEY)
    view.__module__ = "tests.elsewhere"
    values = {"method": "GET", "path": "/things/", "returns": Leaf, "parameters": {}, **declared}
    return Endpoint(view=view, **values)


def operation(**declared):
    def show(request):
        """Show it.

        All of it.
        """

    described = describe(endpoint(show, **declared))
    found = described["paths"]["/things/"]["get"]
    for status, response in found["responses"].items():
        if "$ref" in response:
            name = response["$ref"].removeprefix("#/components/responses/")
            response = described["components"]["responses"][name]
            media = response["content"]["application/json"]
            name = media["schema"]["$ref"].removeprefix("#/components/schemas/")
            media["schema"] = described["components"]["schemas"][name]
            found["responses"][status] = response
    return found


def test_the_docstring_becomes_summary_and_description():
    described = operation()
    assert described["summary"] == "Show it."
    assert described["description"] == "All of it.\n\nAccess: API key."


def test_the_access_determines_security_and_errors():
    assert operation()["security"] == [{"api_key": []}]
    described = operation(user=True)
    assert described["security"] == [{"api_key": [], "bearer": []}]
    assert codes(described, 401) == ["authentication_failed", "invalid_token", "not_authenticated"]
    assert codes(described, 403) == ["permission_denied", "second_factor_required"]
    assert "- `permission_denied`: " in described["responses"]["403"]["description"]


def codes(described, status):
    schema = described["responses"][str(status)]["content"]["application/json"]["schema"]
    return schema["allOf"][1]["properties"]["code"]["enum"]


def test_all_errors_share_one_schema():
    def show(request):
        """Show it."""

    def find(request):
        """Find it."""

    described = [endpoint(show, user=True), endpoint(find, path="/others/", limit="none")]
    parts = {"tests": Part("tests", "Endpoints of the tests.")}
    served = document(described, parts, "https://league.example/v1", "1", closed=False)
    one, other = (served["paths"][path]["get"]["responses"] for path in ("/things/", "/others/"))
    assert {"ErrorBody", "Leaf"} == set(served["components"]["schemas"])
    # A response is named after its error code, so its name stays when an operation gets another
    # code.
    assert one["429"] == {"$ref": "#/components/responses/ThrottleExceeded"}
    assert other["500"] == {"$ref": "#/components/responses/ServerErrorUncounted"}
    assert list(one["401"]["content"]["application/json"]["examples"]) == [
        "authentication_failed",
        "invalid_token",
        "not_authenticated",
    ]


def test_shared_parameters_are_served_once():
    def show(request):
        """Show it."""

    def find(request):
        """Find it."""

    def other(request):
        """Another one."""

    class Query(Schema):
        page = node(schemas.Integer(1), missing=1)

    class Wider(Schema):
        page = node(schemas.Integer(0), missing=1)

    views = [(other, "/c/", Wider), (show, "/a/", Query), (find, "/b/", Query)]
    described = [endpoint(view, path=path, query=query) for view, path, query in views]
    parts = {"tests": Part("tests", "Endpoints of the tests.")}
    served = document(described, parts, "https://league.example/v1", "1", closed=False)
    assert served["components"]["parameters"]["page"]["schema"]["minimum"] == 1
    shared = [{"$ref": "#/components/parameters/page"}]
    assert served["paths"]["/a/"]["get"]["parameters"] == shared
    assert served["paths"]["/b/"]["get"]["parameters"] == shared
    assert served["paths"]["/c/"]["get"]["parameters"][0]["schema"]["minimum"] == 0


def test_rate_limited_operations_have_rate_limit_headers():
    described = operation()["responses"]
    assert "X-RateLimit-Remaining" in described["200"]["headers"]
    assert "Retry-After" in described["429"]["headers"]
    assert "WWW-Authenticate" in described["401"]["headers"]
    uncounted = operation(limit="none")["responses"]
    assert list(uncounted["200"]["headers"]) == ["X-Request-Id"]
    assert list(uncounted["401"]["headers"]) == ["X-Request-Id", "WWW-Authenticate"]


def test_polled_and_deprecated_operations_have_their_headers():
    ending = Deprecation(date(2026, 1, 1), date(2026, 7, 1))
    described = operation(polled=True, deprecation=ending)["responses"]
    for status in ("200", "304"):
        assert {"ETag", "Deprecation", "Sunset"} <= set(described[status]["headers"])


def test_a_deletion_has_no_content():
    assert "content" not in operation(status=204, returns=type(None))["responses"]["204"]


def test_every_endpoint_may_fail_and_may_be_throttled():
    responses = operation()["responses"]
    assert {"429", "500"} <= set(responses)
    assert "429" not in operation(limit="none")["responses"]


def test_another_success_status_has_the_same_schema():
    responses = operation(status=(200, 503))["responses"]
    assert responses["503"]["content"] == responses["200"]["content"]


@pytest.mark.parametrize("package", ["tests", "tests.elsewhere"])
def test_an_operation_belongs_to_the_plugin_of_its_module(package):
    def show(request):
        """Show it."""

    parts = {"tests.else": Part("another"), package: Part("owner", "Endpoints of the owner.")}
    described = document([endpoint(show)], parts, "https://league.example/v1", "1")
    assert described["paths"]["/things/"]["get"]["tags"] == ["owner"]
    assert described["tags"] == [{"name": "owner", "description": "Endpoints of the owner."}]


def test_two_views_can_not_share_a_name():
    def show(request):
        """Show it."""

    parts = {"tests": Part("tests")}
    with pytest.raises(TypeError, match="show"):
        document([endpoint(show), endpoint(show, path="/others/")], parts, "", "1")
