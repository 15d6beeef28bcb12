from pyramid.response import Response

from competition.core.auth.access import staff
from competition.core.errors import Invalid, StorageUnavailable
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.imports import presenters, schemas
from competition.plugins.imports.services import applying, asking, templates
from competition.plugins.imports.services.reading.formats import MEDIA_TYPES, endings

# Each kind of import declares which members of staff may import it.
STAFF = staff()

imports = Service("/imports/")
kinds = Service("/imports/kinds/")
# A path with an id and a path with the name of a kind have the same form, so one service has both.
one_import = Service(
    "/imports/{kind_or_id}/",
    {
        "kind_or_id": {
            "type": "string",
            "description": "The kind of a new import, such as `candidates`; otherwise the id of an"
            " import. An unknown or malformed value is 404.",
        }
    },
)
rows = Service("/imports/{import_id:int}/rows/")
application = Service("/imports/{import_id:int}/apply/")
template = Service(
    "/imports/templates/{kind}/",
    {"kind": {"type": "string", "description": "The kind of an import. An unknown one is 404."}},
)


@imports.get(access=STAFF, query=schemas.ImportFilters, limit="imports")
def list_imports(request: Request) -> presenters.ImportList:
    """List the imports of the kinds that you may import, the newest first. Managers see all."""
    page = asking.page_of_imports(request.work, request.validated)
    return presenters.import_list(request.work, page, request.public_url)


@kinds.get(access=STAFF, limit="imports")
def list_kinds_of_imports(request: Request) -> presenters.KindsOfImports:
    """List the kinds of rows that you may import, with their columns."""
    return presenters.kinds((each, endings(each)) for each in asking.kinds(request.work))


@one_import.post(
    access=STAFF,
    guard=asking.kind_of_upload,
    body=schemas.NewImport,
    files=schemas.FILE,
    status=202,
    errors=(StorageUnavailable,),
    changes_season=True,
)
def upload_import(request: Request, kind_or_id: str) -> presenters.Import:
    """Upload a file of candidates, questions or other rows, and check it in the background.

    Nothing changes until the import is applied. Poll the import until its status is `checked` or
    `failed`. The rows of a checked import show what each line would do. A file has at most 10 MiB,
    20,000 rows and 100 columns.
    """
    found = asking.upload(request.work, request.target, request.validated)
    return presenters.one(request.work, found)


@one_import.get(access=STAFF, guard=asking.visible, limit="imports")
def get_import(request: Request, kind_or_id: str) -> presenters.Import:
    """Get an import, with its progress."""
    return presenters.one(request.work, request.target)


@one_import.delete(access=STAFF, status=204, errors=(Invalid,))
def cancel_import(request: Request, kind_or_id: str) -> None:
    """Cancel an import, and delete its rows.

    An import that is being applied, or has been applied, can't be cancelled.
    """
    asking.cancel(request.work, kind_or_id)


@rows.get(access=STAFF, guard=asking.with_id, query=schemas.RowFilters, limit="imports")
def list_rows_of_import(request: Request, import_id: int) -> presenters.RowList:
    """List the rows of an import, with the effect and the errors of each row.

    By default, they are in the order of the lines of the file.
    """
    page = asking.page_of_rows(request.work, request.target, request.validated)
    return presenters.row_list(page, request.public_url)


@application.post(
    access=STAFF,
    guard=asking.locked,
    body=schemas.Application,
    status=202,
    errors=(Invalid,),
    changes_season=True,
)
def apply_import(request: Request, import_id: int) -> presenters.Import:
    """Apply a checked import in the background: all of its rows, or none.

    With `invalid: skip`, invalid rows are left out; otherwise the reply is 400 if there are any.
    The rows are checked again. If applying a row would now have another effect than the list of
    rows shows, the import becomes `failed`. An import that is being applied, or has been applied,
    is returned as it is. If the season of the import's exam has been closed, the reply is 400.
    """
    sent = request.validated
    found = applying.ask(
        request.work,
        request.target,
        skips_invalid=sent["invalid"] == "skip",
        invite=sent["invite"],
    )
    return presenters.one(request.work, found)


@template.get(
    access=STAFF,
    guard=asking.kind_named,
    query=schemas.TemplateQuery,
    media_type=(MEDIA_TYPES["csv"], MEDIA_TYPES["xlsx"]),
    limit="imports",
)
def get_import_template(request: Request, kind: str) -> Response:
    """Download a file with the columns of a kind of rows, and one example row.

    The sheet "Columns" of the format `xlsx` explains them, and lists other names that files may
    have for them.
    """
    form = request.validated["format"]
    response = Response(
        templates.template(request.target, form), content_type=MEDIA_TYPES[form], charset=None
    )
    response.content_disposition = f'attachment; filename="{kind}.{form}"'
    return response
