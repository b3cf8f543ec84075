"""The open documents. Lines end with LF, CRLF and CR and with nothing else; an edit costs the lines it touches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types

from agentbench_lsp.language.document import Document
from agentbench_lsp.server.positions import Encoding, to_code_points

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")
Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


def split_lines(text: str) -> list[str]:
    """Lines with their line ends; the last one has none and may be empty."""
    if "\r" not in text:
        lines = text.split("\n")
        return [line + "\n" for line in lines[:-1]] + lines[-1:]
    lines = _LINE.findall(text)
    return [*lines, text[sum(map(len, lines)) :]]


class OpenDocument:
    """A text that the client edits; `language` is its id there. `snapshot` is made once per version."""

    def __init__(self, uri: str, text: str, version: int | None, language: str = "") -> None:
        self.uri, self.version, self.language = uri, version, language
        self._lines = split_lines(text)
        self._snapshot: Document | None = None

    @property
    def snapshot(self) -> Document:
        if self._snapshot is None:
            self._snapshot = Document("".join(self._lines), uri_path(self.uri))
        return self._snapshot

    def is_large(self, size: int) -> bool:
        """True for a text of more than `size` characters."""
        return sum(map(len, self._lines)) > size

    def apply(self, change: Change, encoding: Encoding) -> None:
        """Apply one change; positions are in the units of `encoding`."""
        self._snapshot = None
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self._lines = split_lines(change.text)
        else:
            start, end = sorted((self._place(change.range.start, encoding), self._place(change.range.end, encoding)))
            self._replace(start, end, change.text)

    def _place(self, position: types.Position, encoding: Encoding) -> tuple[int, int]:
        """Line and column in code points, both within the text."""
        if position.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        line = self._lines[position.line].rstrip("\r\n")
        return position.line, to_code_points(line, position.character, encoding)

    def _replace(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        lines = self._lines
        (first, start_column), (last, end_column) = start, end
        text = lines[first][:start_column] + text + lines[last][end_column:]
        if first and text.startswith("\n") and lines[first - 1].endswith("\r"):
            first -= 1  # the CR that ended the line before is now half of a CRLF
            text = lines[first] + text
        if text.endswith("\r") and last + 1 < len(lines) and lines[last + 1].startswith("\n"):
            last += 1
            text += lines[last]
        if last + 1 < len(lines) and not text.endswith(("\n", "\r")):
            last += 1  # the line end is gone: what follows continues the line
            text += lines[last]
        fresh = split_lines(text)
        if last + 1 < len(lines) and fresh[-1] == "":
            fresh.pop()
        lines[first : last + 1] = fresh


class Documents:
    """Open documents by URI. `encoding` is what the client counts columns in."""

    def __init__(self) -> None:
        self.encoding: Encoding = types.PositionEncodingKind.Utf16
        self._open: dict[str, OpenDocument] = {}
        self._by_path: dict[Path, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> OpenDocument | None:
        return self._open.get(uri_key(uri))

    def open(self, uri: str, text: str, version: int | None, language: str = "") -> OpenDocument:
        document = self._open[uri_key(uri)] = OpenDocument(uri, text, version, language)
        if path := file_path(uri):
            self._by_path[path] = document
        return document

    def at_path(self, path: Path) -> OpenDocument | None:
        """The open document of a file."""
        return self._by_path.get(path)

    def change(self, uri: str, version: int | None, changes: Sequence[Change]) -> None:
        """Apply changes in order. A document that was never opened is left alone."""
        document = self.get(uri)
        if document is None:
            return
        for change in changes:
            document.apply(change, self.encoding)
        document.version = version

    def close(self, uri: str) -> None:
        self._open.pop(uri_key(uri), None)
        if path := file_path(uri):
            self._by_path.pop(path, None)


def uri_key(uri: str) -> str:
    """What two spellings of one URI have in common: editors differ in what they escape."""
    scheme, colon, rest = uri.partition(":")
    return scheme.lower() + colon + unquote(rest)


def uri_path(uri: str) -> str:
    """The path of a URI with forward slashes, for judging names; the URI itself where it has none."""
    return unquote(urlsplit(uri).path) or uri


def file_path(uri: str) -> Path | None:
    """The file a `file:` URI names, or None."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    return Path(url2pathname(parts.path))
