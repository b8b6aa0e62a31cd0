"""What panes show, as values: pure reducers over events and progress. No Textual in here."""
