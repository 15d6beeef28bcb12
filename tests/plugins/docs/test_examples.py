from competition.plugins.docs.document.examples import example
from tests.support.document import whole_document

SHAPES = {
    "Leaf": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "parent": {"anyOf": [{"$ref": "#/components/schemas/Leaf"}, {"type": "null"}]},
        },
    }
}


def made(schema, name="", **words):
    return example(schema, words, SHAPES, name)


def test_an_example_in_the_glossary_is_used():
    assert made({"type": "string"}, "title", title="Emmy") == "Emmy"


def test_an_example_of_another_type_is_ignored():
    assert made({"type": "integer"}, "title", title="Emmy") == 1
    assert made({"type": "integer"}, "title", title=True) == 1
    assert made({"enum": ["a"]}, "title", title="Emmy") == "a"
    assert made({"type": "array", "items": {"type": "integer"}}, "title", title=["Emmy"]) == [1]
    assert made({"type": "string", "format": "binary"}, "title", title="Emmy") != "Emmy"


def test_null_is_used_where_the_schema_allows_it():
    assert made({"type": ["string", "null"]}, "title", title=None) is None
    assert made({"anyOf": [{"type": "string"}, {"type": "null"}]}, "title", title=None) is None
    assert made({"type": "string"}, "title", title=None) == "text"


def test_without_an_example_the_schema_determines_the_value():
    assert made({"type": "integer", "default": 60}) == 60
    assert made({"enum": ["a", "b"]}) == "a"
    assert made({"type": ["string", "null"], "format": "date-time"}).endswith("Z")


def test_the_example_of_a_recursive_schema_is_finite():
    leaf = {"$ref": "#/components/schemas/Leaf"}
    assert made(leaf) == {"name": "text", "parent": None}
    assert made({"type": "array", "items": leaf}) == [made(leaf)]


def test_a_schema_has_the_same_examples_in_all_operations():
    """The text of a question is the same in the operations of several plugins."""
    paths = whole_document(only_ours=True, closed=False)["paths"]

    def shown(path):
        [reply] = paths[path]["get"]["responses"]["200"]["content"].values()
        return reply["example"]

    [question] = shown("/questions/")["results"]
    [asked] = shown("/exams/{exam_id}/questions/")
    assert asked["text"] == question["text"]
