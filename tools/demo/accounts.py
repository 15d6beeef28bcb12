"""The demo's accounts, from the registration to the approval."""

from collections.abc import Mapping

from tools.demo import documents
from tools.demo.cast import Candidate, Part, Person, Staff
from tools.demo.client import Client
from tools.demo.errors import CallFailed, DemoError
from tools.demo.mailbox import CODE, PASSWORD, PASSWORD_CODE, Mailbox

Consent = Mapping[str, str]

UPLOAD = "/user/verification/upload/"
REASON = "The card can't be read. Please send a sharper picture."


def guardian_consent(client: Client) -> Consent | None:
    """The consent that a guardian of each candidate gives. None if the service needs none."""
    try:
        demanded = client.get("/registration/consent/")
    except CallFailed as refusal:
        if refusal.code != "not_found":
            raise
        # The plugin `privacy` is disabled.
        return None
    if not demanded["required"]:
        return None
    guardian = {"name": "Max Noether", "email": "guardian@demo.example"}
    return {**guardian, "version": demanded["version"]}


def register(person: Candidate | Staff, consent: Consent | None = None) -> None:
    """Register a person. For a candidate, `consent` is the result of `guardian_consent`."""
    body = {
        "email": person.email,
        "first_name": person.first_name,
        "last_name": person.last_name,
        "phone": person.phone,
    }
    if isinstance(person, Staff):
        chosen = _chosen_password(person)
        person.client.post("/register/staff/", {**body, **chosen, "occupation": person.occupation})
        return
    if person.part is Part.GENERATED_PASSWORD:
        person.password = ""
        chosen = {"generate_password": True}
    else:
        chosen = _chosen_password(person)
    of_guardian = {} if consent is None else {"guardian_consent": consent}
    body |= {"school": person.school}
    person.client.post("/register/candidate/", {**body, **chosen, **of_guardian})


def _chosen_password(person: Person) -> dict[str, object]:
    return {"password": person.password, "password2": person.password}


def prove_email(person: Person, mailbox: Mailbox) -> None:
    """Verify the address with the emailed code, and read a generated password from its email."""
    code = mailbox.wait_for(person.email, CODE)
    person.client.post("/verify-email-otp/", {"email": person.email, "otp": code})
    if not person.password:
        person.password = mailbox.wait_for(person.email, PASSWORD)


def log_in(person: Person) -> None:
    credentials = {"email": person.email, "password": person.password}
    reply = person.client.post("/auth/login/", credentials)
    person.client = person.client.acting_for(reply["access"])
    person.id = reply["profile"]["user"]["id"]


def change_password(person: Person, mailbox: Mailbox) -> None:
    """Change the password with an emailed code, and check that the session from before is no longer
    valid.
    """
    before, new = person.client, f"not {person.password}"
    address = {"email": person.email}
    before.post("/auth/password-change/request/", address)
    proof = {**address, "otp": mailbox.wait_for(person.email, PASSWORD_CODE)}
    before.post("/auth/password-change/confirm-otp/", proof)
    chosen = {"new_password": new, "confirm_password": new}
    before.post("/auth/password-change/", {**proof, **chosen})
    try:
        before.get("/auth/sessions/")
    except CallFailed as refusal:
        if refusal.code != "invalid_token":
            raise
    else:
        raise DemoError(f"An old login of {person.full_name} is valid after the password change.")
    person.password = new
    log_in(person)


def upload_documents(person: Person) -> None:
    person.client.upload("POST", UPLOAD, documents.papers(person))


def approve(reviewer: Client, person: Person) -> None:
    reviewer.post(f"/user/verification/action/{person.id}/", {"is_approved": True})


def reject(reviewer: Client, person: Person) -> None:
    """Download the identity card through its temporary link, and reject the documents."""
    link = reviewer.get(f"/user/verification/documents/id_card/{person.id}/")
    _, sent, _ = documents.papers(person)["id_card"]
    if reviewer.download(link["url"]) != sent:
        raise DemoError(f"The stored card of {person.full_name} differs from the uploaded one.")
    reviewer.post(
        f"/user/verification/action/{person.id}/",
        {"is_rejected": True, "rejection_reason": REASON},
    )


def resubmit(person: Person) -> None:
    """Check that the candidate sees the rejection, and upload other documents."""
    record = person.client.get("/user/verification/status/")
    if record["status"] != "rejected" or record["rejection_reason"] != REASON:
        raise DemoError(f"{person.full_name} was rejected, but sees {record['status']}.")
    person.client.upload("PATCH", UPLOAD, documents.papers(person, again=True))


def assign_role(superadmin: Client, member: Staff) -> None:
    """Assign the member's role. All staff register as volunteers, so nothing changes for
    volunteers."""
    superadmin.put(f"/staff/{member.id}/roles/assign/", {"role": member.role})
