"""A tolerant JSON parser: any text gives a tree and errors with exact ranges. Offsets are indexes of the text."""
