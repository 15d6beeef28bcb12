"""The rules of receipts: `receipts` creates and verifies them, `keys` has the signing keys."""
