"""Users' own accounts, and those of other users (decisions F11, F15 to F18)."""

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.work import begin
from competition.testing.identity_papers import PDF, PNG, image
from competition.testing.races import together

OWN = "/account-management/"
MEGABYTE = 1024 * 1024
PICTURE = {"profile_picture": ("me.png", PNG)}


def path(person):
    return f"/account-management/{person.id}/"


def change(person, fields, where=OWN, **options):
    return person.patch(where, fields, **options).json


def upload(person, fields, where=OWN, **options):
    return person.client.upload("PATCH", where, fields, **options).json


def files(app):
    return sorted(each.name for each in app.file_folder.rglob("*") if each.is_file())


def entries(app, action):
    with begin(app.runtime) as work:
        return list(
            work.db.scalars(
                select(AuditEntry).where(AuditEntry.action == action).order_by(AuditEntry.id)
            )
        )


# Which users may see an account


def test_users_see_their_own_account(app):
    unproven = {"is_email_verified": False, "verification": "not_submitted"}
    for person in (app.candidate(**unproven), app.staff("volunteer", **unproven)):
        for where in (OWN, path(person)):
            profile = person.get(where, status=200).json["profile"]
            assert profile["user"]["email"] == person.email
            assert profile["user"]["profile_picture"] is None


def test_the_profile_has_the_fields_of_the_users_kind(app):
    candidate, staff = app.candidate(school="Valley"), app.staff("admin", occupation="Judge")
    assert candidate.get(OWN).json["profile"]["school"] == "Valley"
    assert staff.get(OWN).json["profile"]["occupation"] == "Judge"


@pytest.mark.parametrize("kind", ["candidate", "staff"])
@pytest.mark.parametrize("act", ["person", "account", "change", "switch"])
def test_links_to_documents_given_to_a_manager_are_audited(app, kind, act):
    documents = {"id_card": "documents/card.png"}
    manager = app.staff("manager")
    person = (
        app.candidate(**documents) if kind == "candidate" else app.staff("moderator", **documents)
    )
    group = "candidates" if kind == "candidate" else "staff"
    if act == "person":
        profile = manager.get(f"/{group}/{person.id}/", status=200).json
    elif act == "account":
        profile = manager.get(path(person), status=200).json["profile"]
    elif act == "change":
        profile = change(manager, {"phone": "+49 9131 1882"}, path(person))["profile"]
    else:
        switched = manager.put(f"{path(person)}activation/", {"is_active": False}, status=200)
        profile = switched.json["profile"]
    assert profile["id_card"].startswith("https://")
    assert profile["face_id"] is None
    [entry] = entries(app, "document.link")
    assert (entry.actor_id, entry.target_id, entry.subject) == (manager.id, person.id, "id_card")


def test_a_reply_without_links_to_documents_is_not_audited(app):
    manager = app.staff("manager")
    candidate = app.candidate(id_card="documents/card.png")
    member = app.staff("moderator", id_card="documents/card.png")
    for where in (f"/candidates/{candidate.id}/", f"/staff/{member.id}/", path(candidate)):
        reply = manager.get(f"{where}?documents=false", status=200).json
        assert reply.get("profile", reply)["id_card"] is None
    assert entries(app, "document.link") == []


def test_links_to_a_users_own_documents_are_not_audited(app):
    person = app.candidate(id_card="documents/card.png")
    for where in ("/candidates/me/", OWN, path(person)):
        reply = person.get(where, status=200).json
        assert reply.get("profile", reply)["id_card"].startswith("https://")
    assert entries(app, "document.link") == []


@pytest.mark.parametrize("method", ["get", "patch"])
def test_only_managers_open_the_account_of_another_user(app, method):
    other = app.candidate()
    body = [] if method == "get" else [{"first_name": "Grace"}]
    denied = {"status": 403, "code": "permission_denied"}
    for person in (app.candidate(), *(app.staff(each) for each in ("volunteer", "admin"))):
        getattr(person, method)(path(other), *body, **denied)
    unverified = app.staff("manager", verification="pending")
    getattr(unverified, method)(path(other), *body, status=403, code="unverified_staff")
    getattr(app.staff("manager"), method)(path(other), *body, status=200)


def test_a_manager_sees_every_account(app):
    manager = app.staff("manager")
    for person in (app.candidate(), app.staff("manager"), app.staff("superadmin")):
        profile = manager.get(path(person), status=200).json["profile"]
        assert profile["user"]["id"] == str(person.id)


def test_only_managers_learn_that_an_account_does_not_exist(app):
    unknown = "/account-management/00000000-0000-4000-8000-000000000000/"
    app.staff("manager").get(unknown, status=404, code="not_found")
    change(app.staff("manager"), {"first_name": "X"}, unknown, status=404, code="not_found")
    app.candidate().get(unknown, status=403, code="permission_denied")


# The three formats of a change


def test_flat_json_changes_the_account(app):
    person = app.candidate()
    app.clock.advance(minutes=1)
    fields = {"first_name": " Grace ", "last_name": "Hopper", "phone": "0123 45-67", "school": "V"}
    reply = change(person, fields, status=200)
    assert set(reply) == {"message", "profile"}
    user = reply["profile"]["user"]
    assert (user["first_name"], user["last_name"], user["phone"]) == ("Grace", "Hopper", "01234567")
    assert reply["profile"]["school"] == "V"
    assert reply["profile"]["updated_at"] == "2026-03-01T09:01:00Z"
    assert person.get(OWN).json["profile"] == reply["profile"]


def test_nested_json_changes_the_account(app):
    person = app.staff("volunteer")
    body = {"user": {"first_name": "Grace"}, "profile": {"occupation": "Judge"}}
    profile = change(person, body, status=200)["profile"]
    assert (profile["user"]["first_name"], profile["occupation"]) == ("Grace", "Judge")


def test_a_form_changes_the_account_and_its_picture(app):
    person = app.candidate()
    fields = {"first_name": "Grace", "school": "Valley", **PICTURE}
    profile = upload(person, fields, status=200)["profile"]
    assert (profile["user"]["first_name"], profile["school"]) == ("Grace", "Valley")
    picture = profile["user"]["profile_picture"]
    assert person.get(picture.partition("/v1")[2], status=200).body == PNG


def test_a_form_may_leave_out_the_picture(app):
    person = app.candidate()
    assert upload(person, {"phone": "0123 4567"})["profile"]["user"]["phone"] == "01234567"


def test_a_field_that_is_not_sent_stays_unchanged(app):
    person = app.candidate(first_name="Ada", school="Valley")
    profile = change(person, {"last_name": "Hopper"})["profile"]
    assert (profile["user"]["first_name"], profile["school"]) == ("Ada", "Valley")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"first_name": ""}, {"first_name"}),
        ({"first_name": "x" * 151, "phone": "no"}, {"first_name", "phone"}),
        ({"school": ""}, {"school"}),
        ({"school": "x" * 201}, {"school"}),
    ],
)
def test_fields_are_validated_in_json_and_in_forms(app, fields, wrong):
    person = app.candidate()
    refused = {"status": 400, "code": "invalid"}
    for reply in (change(person, fields, **refused), upload(person, fields, **refused)):
        assert set(reply["errors"]) == wrong


def test_an_error_in_a_nested_field_has_its_path(app):
    body = {"user": {"first_name": ""}, "profile": {"school": 5}}
    errors = change(app.candidate(), body, status=400, code="invalid")["errors"]
    assert set(errors) == {"user", "profile"}
    assert set(errors["user"]) == {"first_name"}


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({"profile": {"school": ""}}, {"profile": {"school"}}),
        ({"user": {"first_name": "Ada"}, "profile": {"school": None}}, {"profile": {"school"}}),
        (
            {"profile": {"external_id": "N7"}, "group": "7b"},
            {"profile": {"external_id"}, "group": 0},
        ),
        # The outer field is the one that counts.
        ({"profile": {"school": "Hill"}, "school": ""}, {"school": 0}),
    ],
)
def test_an_error_of_a_rule_in_a_nested_field_has_its_path(app, body, errors):
    reply = change(app.candidate(), body, status=400, code="invalid")
    for tree in (reply["errors"], reply["rules"]):
        assert {
            name: {*below} if isinstance(below, dict) else 0 for name, below in tree.items()
        } == errors


@pytest.mark.parametrize("body", [{"user": 5}, {"profile": None}, {"first_name": None}])
def test_a_value_of_the_wrong_type_is_invalid(app, body):
    change(app.candidate(), body, status=400, code="invalid")


def test_a_field_of_the_other_kind_is_ignored(app):
    candidate, staff = app.candidate(), app.staff("volunteer")
    change(candidate, {"first_name": "Grace", "occupation": ""}, status=200)
    for nothing in ("", None):
        change(staff, {"first_name": "Grace", "school": nothing}, status=200)
    for person, field in ((candidate, "occupation"), (staff, "school")):
        change(person, {field: "Something"}, status=400, code="invalid")


def test_an_occupation_may_be_blank(app):
    staff = app.staff("volunteer")
    for nothing in ("", None):
        change(staff, {"occupation": "Judge"})
        assert change(staff, {"occupation": nothing})["profile"]["occupation"] == ""


@pytest.mark.parametrize(
    "fields", [{}, {"user": {}}, {"email": "new@x.example"}, {"role": "final"}]
)
def test_a_change_without_an_editable_field_is_invalid(app, fields):
    change(app.candidate(), fields, status=400, code="invalid")


def test_an_empty_form_is_invalid(app):
    upload(app.candidate(), {"profile_picture": ""}, status=400, code="invalid")


def test_email_role_and_flags_can_not_be_changed(app):
    person = app.candidate(verification="pending")
    fields = {
        "email": "new@x.example",
        "role": "winner",
        "is_active": False,
        "is_user_verified": True,
        "verification": "approved",
        "is_invited": True,
        "first_name": "Grace",
    }
    nested = {**fields, "user": fields, "profile": fields}
    change(person, nested, status=200)
    user = app.user(person)
    assert (user.email, user.role, user.is_active) == (person.email, "screening", True)
    assert (user.verification, user.is_invited) == ("pending", False)


def test_another_media_type_is_rejected(app):
    person = app.candidate()
    for content_type in ("text/plain", "application/x-www-form-urlencoded"):
        refused = {"status": 415, "code": "unsupported_media_type"}
        reply = person.patch(OWN, b"first_name=Grace", content_type=content_type, **refused)
        assert reply.json["detail"] == ("Send the body as application/json or multipart/form-data.")


def test_both_media_types_are_in_the_openapi_document(app):
    operation = app.document.document["paths"]["/account-management/"]["patch"]
    content = operation["requestBody"]["content"]
    flat = {
        "first_name",
        "last_name",
        "phone",
        "language",
        "school",
        "year",
        "group",
        "external_id",
        "occupation",
        "profile_picture",
    }
    sent = {kind: each["schema"]["properties"] for kind, each in content.items()}
    assert set(sent["multipart/form-data"]) == flat
    assert set(sent["application/json"]) == flat | {"user", "profile"}
    assert sent["multipart/form-data"]["profile_picture"]["format"] == "binary"


# The picture


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_jpeg_png_and_webp_pictures_are_accepted(app, kind):
    file = (f"me.{kind.lower()}", image(kind))
    assert upload(app.candidate(), {"profile_picture": file}, status=200)


@pytest.mark.parametrize(
    "file", [("me.pdf", PDF), ("me.gif", image("GIF")), ("me.png", b"no picture")]
)
def test_other_types_of_picture_are_rejected(app, file):
    refused = {"status": 400, "code": "invalid_file_type"}
    upload(app.candidate(), {"profile_picture": file}, **refused)


def test_a_picture_over_5_mebibytes_is_rejected(app):
    fits = PNG + bytes(5 * MEGABYTE - len(PNG))
    person = app.candidate()
    upload(person, {"profile_picture": ("me.png", fits)}, status=200)
    refused = {"status": 400, "code": "file_size_exceeded"}
    upload(person, {"profile_picture": ("me.png", fits + b"x")}, **refused)


def test_a_new_picture_replaces_the_old_one(app):
    person = app.candidate()
    upload(person, PICTURE)
    old = files(app)
    upload(person, PICTURE)
    assert len(files(app)) == 1
    assert files(app) != old


@pytest.mark.parametrize("body", [{"profile_picture": None}, {"user": {"profile_picture": None}}])
def test_null_deletes_the_picture(app, body):
    person = app.candidate()
    upload(person, PICTURE)
    assert change(person, body, status=200)["profile"]["user"]["profile_picture"] is None
    assert files(app) == []


def test_null_in_a_form_deletes_the_picture(app):
    person = app.candidate()
    upload(person, PICTURE)
    upload(person, {"profile_picture": "null"}, status=200)
    assert app.user(person).profile_picture is None


def test_a_profile_that_is_sent_back_unchanged_keeps_its_picture(app):
    person = app.candidate()
    profile = upload(person, PICTURE)["profile"]
    profile["user"]["first_name"] = "Grace"
    change(person, {"user": profile["user"], "profile": profile}, status=200)
    assert len(files(app)) == 1
    assert app.user(person).profile_picture is not None


def test_simultaneous_uploads_leave_one_picture(live):
    person = live.candidate()
    together(4, lambda index: upload(person, PICTURE, status=200))
    assert len(files(live)) == 1
    assert live.user(person).profile_picture.endswith(files(live)[0])


def test_if_the_storage_is_down_the_account_stays_unchanged(app):
    app.file_folder.write_text("in the way")
    person = app.candidate(first_name="Ada")
    fields = {"first_name": "Grace", **PICTURE}
    upload(person, fields, status=502, code="storage_unavailable")
    other = app.staff("manager")
    path = f"/account-management/{person.id}/"
    other.client.upload("PATCH", path, fields, status=502, code="storage_unavailable")
    assert app.user(person).first_name == "Ada"


def test_a_rejected_change_stores_no_picture(app):
    person = app.candidate()
    upload(person, {"school": "", **PICTURE}, status=400, code="invalid")
    assert files(app) == []
    assert app.user(person).profile_picture is None


# Changing accounts of other users


def test_a_manager_changes_accounts_of_lower_roles(app):
    manager = app.staff("manager")
    for person in (app.candidate(), app.staff("admin"), app.staff("sponsor")):
        reply = change(manager, {"first_name": "Grace"}, path(person), status=200)
        assert reply["profile"]["user"]["first_name"] == "Grace"


def test_a_manager_changes_no_other_manager_and_no_superadmin(app):
    manager = app.staff("manager")
    denied = {"status": 403, "code": "permission_denied"}
    for person in (app.staff("manager"), app.staff("superadmin")):
        change(manager, {"first_name": "Grace"}, path(person), **denied)
        upload(manager, PICTURE, path(person), **denied)
        # The role is checked before the body.
        change(manager, {}, path(person), **denied)
    change(manager, {"first_name": "Grace"}, path(manager), status=200)


def test_permission_is_checked_before_the_body(app):
    manager = app.staff("manager")
    for where in (path(app.staff("superadmin")), f"{path(app.staff('manager'))}activation/"):
        method = manager.put if where.endswith("activation/") else manager.patch
        method(where, {}, status=403, code="permission_denied")
    nobody = "/account-management/00000000-0000-4000-8000-000000000000/"
    manager.patch(nobody, {}, status=404, code="not_found")
    manager.put(f"{nobody}activation/", {}, status=404, code="not_found")


def test_a_superadmin_changes_every_account(app):
    superadmin = app.staff("superadmin")
    for person in (app.staff("manager"), app.staff("superadmin"), app.candidate()):
        change(superadmin, {"first_name": "Grace"}, path(person), status=200)


def test_every_change_of_an_account_is_audited(app):
    manager, candidate = app.staff("manager"), app.candidate(school="Hill")
    change(manager, {"school": "Valley"}, path(candidate))
    change(candidate, {"first_name": "Grace", "school": "Valley"})
    # This request changes nothing, so it is not recorded.
    change(candidate, {"first_name": "Grace"})
    by_manager, own = entries(app, "account.change")
    assert (by_manager.actor_id, by_manager.target_id) == (manager.id, candidate.id)
    assert (by_manager.old, by_manager.new) == ({"school": "Hill"}, {"school": "Valley"})
    assert (own.actor_id, own.target_id) == (candidate.id, candidate.id)
    assert (own.old, own.new) == ({"first_name": "Ada"}, {"first_name": "Grace"})


def test_the_audit_trail_keeps_no_name_of_an_erased_user(app):
    person, other = app.candidate(), app.candidate()
    for each in (person, other):
        change(each, {"first_name": "Grace"})
    with begin(app.runtime) as work:
        personal_data.erase(work, person.id)
    record = {entry.target_id: entry for entry in entries(app, "account.change")}
    assert (record[person.id].old, record[person.id].new) == (None, None)
    assert record[other.id].new == {"first_name": "Grace"}


# Activation


def switch(person, other, active, **options):
    where = f"/account-management/{other.id}/activation/"
    return person.put(where, {"is_active": active}, **options).json


def test_a_manager_deactivates_and_activates_an_account(app):
    manager, candidate = app.staff("manager"), app.candidate()
    reply = switch(manager, candidate, False, status=200)
    assert set(reply) == {"message", "profile"}
    assert (reply["profile"]["is_active"], reply["profile"]["status"]) == (False, "deactivated")
    assert switch(manager, candidate, True, status=200)["profile"]["status"] == "active"


def test_deactivation_ends_the_sessions(app):
    candidate = app.candidate()
    switch(app.staff("manager"), candidate, False)
    candidate.get("/candidates/me/", status=401, code="invalid_token")
    body = {"refresh": candidate.refresh}
    app.anonymous.post("/auth/token/refresh/", body, status=401, code="invalid_token")
    switch(app.staff("manager"), candidate, True)
    candidate.get("/candidates/me/", status=401, code="invalid_token")


def test_an_activation_is_audited_if_it_changes_the_account(app):
    manager, candidate = app.staff("manager"), app.candidate()
    switch(manager, candidate, True)
    switch(manager, candidate, False)
    [entry] = entries(app, "user.activation")
    assert (entry.actor_id, entry.target_id) == (manager.id, candidate.id)
    assert (entry.old, entry.new) == (True, False)


def test_nobody_can_deactivate_their_own_account(app):
    for role in ("manager", "superadmin"):
        person = app.staff(role)
        switch(person, person, False, status=403, code="permission_denied")


def test_a_manager_deactivates_no_manager_and_no_superadmin(app):
    manager = app.staff("manager")
    for role in ("manager", "superadmin"):
        switch(manager, app.staff(role), False, status=403, code="permission_denied")
        switch(app.staff("superadmin"), app.staff(role), False, status=200)


def test_an_activation_without_is_active_is_invalid(app):
    where = f"/account-management/{app.candidate().id}/activation/"
    reply = app.staff("manager").put(where, {}, status=400, code="invalid")
    assert set(reply.json["errors"]) == {"is_active"}


def test_activation_of_an_unknown_account_is_not_found(app):
    where = "/account-management/00000000-0000-4000-8000-000000000000/activation/"
    app.staff("manager").put(where, {"is_active": True}, status=404, code="not_found")
