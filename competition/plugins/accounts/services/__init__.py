"""The rules of accounts. Whoever changes an account, or decides on its password or codes, locks its
row first: see `accounts`."""
