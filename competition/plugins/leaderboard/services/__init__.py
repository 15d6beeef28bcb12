"""Writing snapshots (`publishing`) and reading the latest one (`reading`)."""
