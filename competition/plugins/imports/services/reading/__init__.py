"""Read files as people have them: tables in spreadsheets and in text files, and other formats."""
