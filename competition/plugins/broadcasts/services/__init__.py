"""The rules of broadcasts: `asking` (creating and reading them), `sending`."""
