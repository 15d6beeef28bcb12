from openapi_spec_validator import OpenAPIV31SpecValidator


def test_the_document_is_valid_openapi(app):
    document = app.anonymous.get("/docs/spec").json
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    assert document["servers"] == [{"url": "https://league.example/v1"}]


def test_a_plugin_names_its_operations(app):
    document = app.anonymous.get("/docs/spec").json
    assert document["paths"]["/health/"]["get"]["tags"] == ["docs"]
    assert {"name": "docs"} in document["tags"]


def test_fixtures_make_people(app):
    assert app.user(app.staff("manager")).role == "manager"
