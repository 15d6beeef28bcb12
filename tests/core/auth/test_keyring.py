import pytest

from competition.core.auth.keyring import Keyring, UnknownKey

OLD, NEW = "o" * 32, "n" * 32


def test_a_rotated_key_still_verifies_what_it_signed():
    signature = Keyring([OLD]).sign("link", "message")
    assert Keyring([NEW, OLD]).verifies("link", "message", signature)
    assert not Keyring([NEW]).verifies("link", "message", signature)


def test_a_signature_is_valid_only_for_its_purpose_and_message():
    keyring = Keyring([OLD])
    signature = keyring.sign("link", "message")
    assert not keyring.verifies("other", "message", signature)
    assert not keyring.verifies("link", "other", signature)


def test_a_rotated_key_still_decrypts_what_it_encrypted():
    encrypted = Keyring([OLD]).encrypt("factor", "secret")
    assert Keyring([NEW, OLD]).decrypt("factor", encrypted) == "secret"
    with pytest.raises(UnknownKey):
        Keyring([NEW]).decrypt("factor", encrypted)


def test_renewed_encryption_no_longer_needs_the_old_key():
    rotated = Keyring([NEW, OLD])
    encrypted = Keyring([OLD]).encrypt("factor", "secret")
    renewed = rotated.renewed("factor", encrypted)
    assert Keyring([NEW]).decrypt("factor", renewed) == "secret"
    assert rotated.renewed("factor", renewed) == renewed
    with pytest.raises(UnknownKey):
        Keyring([NEW]).renewed("factor", encrypted)


def test_a_value_encrypted_for_one_purpose_can_not_be_decrypted_for_another():
    keyring = Keyring([OLD])
    with pytest.raises(UnknownKey):
        keyring.decrypt("other", keyring.encrypt("factor", "secret"))
