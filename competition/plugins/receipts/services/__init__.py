"""The rules of receipts: `receipts` makes and checks them, `keys` has what they are signed with."""
