"""Read the files that staff upload: tables in spreadsheets and in text files, and other formats."""
