import pytest


def test_a_candidate_sees_their_own_profile(app):
    person = app.candidate("final", school="Hillside School", face_id="documents/face.png")
    mine = person.get("/candidates/me/", status=200).json
    assert mine["user"]["email"] == person.email
    assert mine["profile_type"] == "candidate"
    assert (mine["school"], mine["role"]) == ("Hillside School", "final")
    assert (mine["status"], mine["is_user_verified"]) == ("active", True)
    assert "documents/face.png?" in mine["face_id"]


def test_a_member_of_staff_sees_their_own_profile(app):
    person = app.staff("manager", occupation="Judge")
    mine = person.get("/staff/me/", status=200).json
    assert mine["user"]["id"] == str(person.id)
    assert mine["profile_type"] == "staff"
    assert (mine["occupation"], mine["role"]) == ("Judge", "manager")


def test_an_unverified_user_sees_their_own_profile(app):
    unproven = {"is_email_verified": False, "verification": "not_submitted"}
    app.candidate(**unproven).get("/candidates/me/", status=200)
    app.staff("volunteer", **unproven).get("/staff/me/", status=200)


def test_the_other_kind_of_profile_is_forbidden(app):
    app.candidate().get("/staff/me/", status=403, code="permission_denied")
    app.staff("superadmin").get("/candidates/me/", status=403, code="permission_denied")


def test_a_sponsor_has_no_own_profile(app):
    app.staff("sponsor").get("/staff/me/", status=403, code="permission_denied")


@pytest.mark.parametrize(
    ("fields", "available"),
    [
        ({"role": "moderator", "verification": "pending"}, True),
        ({"role": "moderator", "verification": "rejected"}, True),
        ({"role": "superadmin", "verification": "approved"}, True),
        ({"role": "volunteer", "verification": "approved"}, False),
        ({"role": "moderator", "verification": "not_submitted"}, False),
        ({"role": "moderator", "verification": "pending", "is_email_verified": False}, False),
    ],
)
def test_the_tour_needs_a_verified_email_documents_and_a_high_enough_role(app, fields, available):
    mine = app.staff(**fields).get("/staff/me/").json
    assert mine["tour_available"] is available
