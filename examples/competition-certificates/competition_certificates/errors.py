from competition.core.errors import ApiError


class CertificateRevoked(ApiError):
    status = 409
    code = "certificate_revoked"
    detail = "This certificate has already been revoked."
