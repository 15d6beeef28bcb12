"""The rules of people. Whoever changes an account locks its row first."""
