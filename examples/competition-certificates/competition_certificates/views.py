from competition.core.auth.access import API_KEY, StaffRole, candidate, staff
from competition.core.web.request import Request
from competition.core.web.service import Service

from competition_certificates import REVOKE, presenters, services
from competition_certificates.errors import CertificateRevoked

own_certificates = Service("/certificates/")
certificate = Service("/certificates/{code}/")
revocation = Service("/certificates/{code}/revoke/")


@own_certificates.get(access=candidate())
def get_own_certificates(request: Request) -> presenters.OwnCertificates:
    """List your certificates, the latest first."""
    user_id = request.work.identity.user_id
    found = services.valid_certificates(request.work, [user_id])
    return presenters.own(request.work, found[user_id])


@certificate.get(access=API_KEY)
def check_certificate(request: Request, code: str) -> presenters.CertificateCheck:
    """Check who a certificate belongs to, and whether it is valid."""
    return presenters.check(services.by_code(request.work, code))


@revocation.post(access=staff(StaffRole.ADMIN, permission=REVOKE), errors=(CertificateRevoked,))
def revoke_certificate(request: Request, code: str) -> presenters.CertificateCheck:
    """Revoke a certificate permanently."""
    return presenters.check(services.revoke(request.work, code))
