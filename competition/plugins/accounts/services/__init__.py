"""The rules of accounts. Before an account is changed, or its password or a code is accepted, the
account's row is locked (see `accounts`)."""
