"""The rules of exams, by who they are for: see the plugin's docstring."""
