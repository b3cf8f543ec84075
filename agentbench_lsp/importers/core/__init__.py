"""What all importers share: reading files, recording steps, choosing the root, the sum at the end."""
