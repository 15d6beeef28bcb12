"""Programs that only developers of the service run. They are not in the wheel."""
