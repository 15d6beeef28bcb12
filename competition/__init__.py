"""The Competition Service: the backend of a mathematics league."""
