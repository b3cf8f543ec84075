"""The parts of the HTML report: a page, its style and its script, put into one file."""
