"""The rules of people. Before an account is changed, its row is locked."""
