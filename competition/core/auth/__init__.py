"""Who is calling: API keys, sessions, tokens, passwords and the security policy."""
