"""Declare endpoints: a `Service` is a path, and its decorators declare the methods.

    exam = Service("/exams/{exam_id:int}/")

    @exam.patch(access=staff(ADMIN), body=ExamChanges, errors=(QuestionsFrozen,))
    def change_exam(request: Request, exam_id: int) -> presenters.Exam:
        \"\"\"Change some fields of an exam.\"\"\"
        exam = services.change_exam(request.work, exam_id, request.validated)
        return presenters.exam(request.work, exam)

The options say who may call the endpoint, which input it takes (Colander schemas, which validate
into ``request.validated``) and which errors it can return. The annotation of the return value is
the shape of the reply: a TypedDict, a list of TypedDicts, or None for 204. For a long list, the
view yields the items, and its annotation is an Iterator: each item is encoded when it is read. The
plugin `docs` builds the OpenAPI document from the same declaration.
`competition.core.web.endpoint.Endpoint` has all options.
"""

import re
import types
import typing
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar, Union, Unpack

import cornice
from pyramid.config import Configurator
from pyramid.events import subscriber
from pyramid.exceptions import ConfigurationError
from pyramid.response import Response

from competition.core.catalogue import ApiAssembled, when_scanned
from competition.core.runtime import API_PREFIX
from competition.core.web import answering, paths
from competition.core.web.bodies import BodyField
from competition.core.web.checks import CHECKS
from competition.core.web.endpoint import Endpoint, Options
from competition.core.web.request import Request

View = TypeVar("View", bound=Callable[..., Any])

# The category of endpoints in Pyramid's introspector.
ENDPOINTS = "competition endpoints"


class Service:
    """A path and its methods. ``{exam_id:int}`` in the path is a typed argument of every view.

    `schemas` has the JSON Schemas of arguments of the type ``str``, for the OpenAPI document. Each
    describes the accepted values; its ``description`` says which reply other values get.
    """

    def __init__(self, path: str, schemas: Mapping[str, dict[str, Any]] | None = None) -> None:
        self.parameters = paths.types_of(path)
        for name, schema in (schemas or {}).items():
            self.parameters[name] = self.parameters[name].accepting(**schema)
        # The path without types, as in the OpenAPI document.
        self.path = paths.ARGUMENT.sub(r"{\1}", path)
        self.endpoints: list[Endpoint] = []
        # Cornice's service makes the route and the views. Metrics and traces show its name. By
        # default, Cornice also registers it for scans, and reads the source of the calling module
        # to do so. No scan has to find it, so `depth=0` avoids that.
        self.cornice = cornice.Service(
            name=self.path, path=paths.route_of(path, self.parameters), renderer=None, depth=0
        )
        when_scanned(self, lambda config: config.add_service(self))

    def get(self, **declared: Unpack[Options]) -> Callable[[View], View]:
        """Declare the view of GET. `Endpoint` describes the options."""
        return self._decorator("GET", declared)

    def post(self, **declared: Unpack[Options]) -> Callable[[View], View]:
        """Declare the view of POST. `Endpoint` describes the options."""
        return self._decorator("POST", declared)

    def put(self, **declared: Unpack[Options]) -> Callable[[View], View]:
        """Declare the view of PUT. `Endpoint` describes the options."""
        return self._decorator("PUT", declared)

    def patch(self, **declared: Unpack[Options]) -> Callable[[View], View]:
        """Declare the view of PATCH. `Endpoint` describes the options."""
        return self._decorator("PATCH", declared)

    def delete(self, **declared: Unpack[Options]) -> Callable[[View], View]:
        """Declare the view of DELETE. `Endpoint` describes the options."""
        return self._decorator("DELETE", declared)

    def _decorator(self, method: str, declared: Options) -> Callable[[View], View]:
        def declare(view: View) -> View:
            _check_declared(view, declared)
            endpoint = Endpoint(
                method=method,
                path=self.path,
                view=view,
                returns=_shape(view),
                parameters=self.parameters,
                **declared,
            )

            @wraps(view)
            def answer(request: Request) -> Response:
                return answering.answer(request, endpoint)

            self.endpoints.append(endpoint)
            # The view deriver of `competition.core.web.policy` reads the option `endpoint`.
            self.cornice.add_view(method, answer, validators=CHECKS, endpoint=endpoint)
            return view

        return declare


def _check_declared(view: Callable[..., Any], declared: Collection[str]) -> None:
    """Check the options of an endpoint. Raises ConfigurationError if one is unknown, or if `access`
    is missing."""
    unknown = sorted({*declared} - {field.name for field in fields(Endpoint)})
    if unknown:
        raise ConfigurationError(
            f"The view {_named(view)} declares {', '.join(unknown)}, which is not an option of"
            " endpoints. See docs/reference/endpoint-options.md."
        )
    if "access" not in declared:
        raise ConfigurationError(
            f"The view {_named(view)} does not say who may call it. Declare access=."
        )


def _shape(view: Callable[..., Any]) -> Any:
    """The shape of the replies: the view's return annotation without ``| Response``, and a list
    instead of an iterator. Raises ConfigurationError if there is no annotation."""
    hints = typing.get_type_hints(view, include_extras=True)
    if "return" not in hints:
        raise ConfigurationError(
            f"The view {_named(view)} does not say what it returns. Annotate its return value: a"
            " TypedDict, a list of TypedDicts, or None with status=204."
        )
    returned = hints["return"]
    shapes = typing.get_args(returned)
    if typing.get_origin(returned) is Iterator:
        return types.GenericAlias(list, shapes)
    if Response in shapes:
        return Union[tuple(shape for shape in shapes if shape is not Response)]  # noqa: UP007  # of a number of types that is known only here
    return returned


def _named(view: Callable[..., Any]) -> str:
    return f"{view.__module__}.{view.__qualname__}"


def add_service(config: Configurator, service: Service) -> None:
    """Configuration directive ``config.add_service``: add the route and the views of a service. A
    scan calls it for each service that it finds.

    Pyramid raises ConfigurationConflictError if another service has the same path, even if its
    arguments have other names. Otherwise one of the two services could not be reached.
    """
    described = []
    for endpoint in service.endpoints:
        title = f"{endpoint.method} {endpoint.path}"
        entry = config.introspectable(ENDPOINTS, title, title, "endpoint")
        entry["endpoint"] = endpoint
        described.append(entry)
    shape = paths.ARGUMENT.sub("{}", service.path)
    config.action(("path", shape), introspectables=described)
    with config.route_prefix_context(API_PREFIX):
        config.add_cornice_service(service.cornice)


def endpoints(registry: Any) -> list[Endpoint]:
    """The endpoints of core and of the enabled plugins, in the order of registration."""
    found = registry.introspector.get_category(ENDPOINTS) or ()
    return [each["introspectable"]["endpoint"] for each in found]


class Operations:
    """The endpoints by method and path. Finds the endpoint of a request before Pyramid has routed
    the request. ``runtime[Operations]`` is the instance of the process."""

    def __init__(self, found: Iterable[Endpoint]) -> None:
        self._by_method: defaultdict[str, list[tuple[re.Pattern[str], Endpoint]]]
        self._by_method = defaultdict(list)
        for endpoint in found:
            pattern = paths.pattern_of(endpoint.path, endpoint.parameters)
            self._by_method[endpoint.method].append((pattern, endpoint))

    def find(self, method: str, path: str) -> Endpoint | None:
        """The endpoint for this method and path, or None. `path` is without the prefix of the API,
        and its last slash may be missing."""
        path = path.rstrip("/") + "/"
        for pattern, endpoint in self._by_method.get(method, ()):
            if pattern.fullmatch(path):
                return endpoint
        return None


@subscriber(ApiAssembled)
def provide_operations(event: ApiAssembled) -> None:
    registry = event.registry
    registry.runtime.provide(Operations, Operations(endpoints(registry)))


@subscriber(ApiAssembled)
def check_body_fields(event: ApiAssembled) -> None:
    """Check that there is a body for each field that a plugin adds to bodies. Raises
    ConfigurationError if no endpoint takes a body with the field's slot, unless the field is
    optional."""
    slots = {each.body.slot for each in endpoints(event.registry) if each.body}
    for added in event.registry.runtime.catalogue[BodyField].values():
        if added.slot not in slots and not added.is_optional:
            known = ", ".join(sorted(filter(None, slots))) or "none"
            raise ConfigurationError(
                f"The field {added.name!r} is added to the body {added.slot!r}, which no endpoint"
                f" takes. Require the plugin that declares this body. Known bodies: {known}."
            )


def includeme(config: Configurator) -> None:
    # Errors have views of their own (`competition.core.errors`).
    config.add_settings({"handle_exceptions": False})
    config.include("cornice")
    config.add_directive("add_service", add_service)
