"""The rules of dashboards."""
