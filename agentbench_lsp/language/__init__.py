"""What an editor can know of a document: pure functions of a snapshot. Offsets are indexes of the text."""
