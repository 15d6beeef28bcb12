"""Writing snapshots (`publishing`) and when (`scheduling`), reading the latest one (`reading`)."""
