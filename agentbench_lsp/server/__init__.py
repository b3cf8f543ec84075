"""The language server: the only code that knows pygls and lsprotocol."""
