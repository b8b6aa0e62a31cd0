"""The panes of the desk: each paints one state, and knows neither store nor workers."""
