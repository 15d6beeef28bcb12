from competition.core.auth.access import StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.people import schemas
from competition.plugins.people.presenters import audit_trail as presenters
from competition.plugins.people.services import audit_trail

audit = Service("/audit/")


@audit.get(access=staff(StaffRole.MANAGER), query=schemas.AuditFilters)
def list_audit_entries(request: Request) -> presenters.AuditList:
    """List the actions of staff and operators, the latest first."""
    page = audit_trail.page_of_entries(request.work, request.validated)
    names = audit_trail.names(request.work, page.items)
    return presenters.audit_list(page, names, request.public_url)
