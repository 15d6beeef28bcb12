"""The rules of broadcasts: create and read them (`asking`), and send them (`sending`)."""
