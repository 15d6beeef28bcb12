"""The features, one package each."""
