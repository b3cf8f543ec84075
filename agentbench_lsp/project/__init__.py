"""The files around a document: finding them, knowing what is in them, checking many. Used by `check` and the server."""
