"""The data that dashboards show."""
