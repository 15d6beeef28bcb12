from competition.core.keyring import Keyring

OLD, NEW = "o" * 32, "n" * 32


def test_a_rotated_key_still_verifies_what_it_signed():
    signature = Keyring([OLD]).sign("link", "message")
    assert Keyring([NEW, OLD]).verifies("link", "message", signature)
    assert not Keyring([NEW]).verifies("link", "message", signature)


def test_a_signature_is_good_for_its_purpose_and_message_alone():
    keyring = Keyring([OLD])
    signature = keyring.sign("link", "message")
    assert not keyring.verifies("other", "message", signature)
    assert not keyring.verifies("link", "other", signature)
