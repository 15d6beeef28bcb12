"""The rules of scores: see the plugin's docstring for which is where."""
