"""The rules of accounts. Before an account is changed, or its password or a code is accepted, its
row is locked (see `accounts`)."""
