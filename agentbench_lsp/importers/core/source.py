"""A session file: its encoding, its shape, and its records one by one."""

from __future__ import annotations

import codecs
import errno
import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from agentbench_lsp.importers.core.json_stream import BrokenJsonError, Member, decode, members

Shape = Literal["lines", "document", "text", "zip", "binary"]
_CHUNK = 1 << 16
_HEAD = 1 << 18  # bytes looked at to tell what a file is
_HEAD_RECORDS = 60
_HEAD_LINES = 4_000_000  # characters of the lines that are looked at
_LONGEST_LINE = 64_000_000
_HEAD_CHUNKS = 256  # of a document whose first member is a long list
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class Record(NamedTuple):
    """A JSON value and the line it begins on, from 1."""

    value: Any
    line: int


@dataclass
class Head:
    """The beginning of a file: what importers recognise their sessions by.

    `records` are the first objects of its lines or of its list; `fields` those of a document, lists with their first
    items only.
    """

    shape: Shape
    text: str
    records: list[dict[str, Any]] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # in a zip

    def items(self, key: str) -> list[dict[str, Any]]:
        """The first objects of a document's list."""
        value = self.fields.get(key)
        return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


@dataclass
class Source:
    """A session: a file, or the text of one that is being edited. `notes` collects what could not be read."""

    path: Path
    text: str | None = None
    notes: list[str] = field(default_factory=list)

    @cached_property
    def _beginning(self) -> bytes:
        if self.text is not None:
            return self.text[:_HEAD].encode("utf-8", "surrogatepass")
        with self._open() as file:
            return file.read(_HEAD)

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise OSError(errno.EINVAL, "it is no regular file", str(self.path))  # it could have no end
        if self.path.suffix == ".zst":
            with open_zstd(self.path) as file:
                yield file
        else:
            with self.path.open("rb") as file:
                yield file

    @cached_property
    def _encoding(self) -> str:
        start = self._beginning[:4]
        for bom, name in _BOMS:
            if start.startswith(bom):
                return name
        if start[1:2] == b"\0" and start[:1]:
            return "utf-16-le"
        return "utf-16-be" if start[:1] == b"\0" and start[1:2] else "utf-8"

    @contextmanager
    def open_text(self) -> Iterator[IO[str]]:
        """The file as text with its own line ends; bytes that are none become U+FFFD. Raises OSError."""
        if self.text is not None:
            yield io.StringIO(self.text, newline="")
            return
        with self._open() as file:
            yield io.TextIOWrapper(file, self._encoding, errors="replace", newline="\n")

    @cached_property
    def head(self) -> Head:
        """What the file begins with. Raises OSError."""
        if self._beginning[:4] == b"PK\3\4" and self.text is None:
            try:
                with zipfile.ZipFile(self.path) as archive:
                    return Head("zip", "", names=tuple(archive.namelist()[:1000]))
            except zipfile.BadZipFile:
                return Head("binary", "")
        text = self._beginning.decode(self._encoding, "replace").removeprefix("\ufeff")
        if "\0" in text[:1000]:
            return Head("binary", text)
        return self._text_head(text)

    def _text_head(self, text: str) -> Head:
        lines = self._first_lines()
        values = [_value(line) for line in lines]
        objects = [value for value in values if isinstance(value, dict)]
        first = lines[0].lstrip()[:1] if lines else ""
        # A pretty document has lines that are objects, but never its first two.
        stands_alone = first not in ("{", "[") or isinstance(values[0], dict)
        follows = first == "{" and len(lines) > 1 and lines[1].startswith("{") and isinstance(values[1], dict)
        if len(lines) > 1 and objects and (stands_alone or follows):
            return Head("lines", text, objects)
        if first in ("{", "["):
            return self._document_head(text)
        return Head("text", text)

    def _first_lines(self) -> list[str]:
        """The first lines that are not blank; long ones are read to their end, within reason."""
        lines: list[str] = []
        size = 0
        with self.open_text() as file:
            while size < _HEAD_LINES and len(lines) < _HEAD_RECORDS:
                line = file.readline(_LONGEST_LINE)
                if not line:
                    break
                size += len(line)
                text = line.strip().strip("\ufeff\0")
                if text:
                    lines.append(text)
        return lines

    def _document_head(self, text: str) -> Head:
        head = Head("document", text)
        try:
            with self.open_text() as file:
                chunks = islice(iter(lambda: file.read(_CHUNK), ""), _HEAD_CHUNKS)
                for member in members(chunks):
                    if not self._note(head, member):
                        break
        except (BrokenJsonError, OSError):
            pass  # reading it will say so
        if head.fields and not head.records:
            head.records.append(head.fields)
        return head

    @staticmethod
    def _note(head: Head, member: Member) -> bool:
        """Note a member; False once enough is known."""
        if member.key == "" and member.item is not None:
            if isinstance(member.value, dict):
                head.records.append(member.value)
            return member.item < _HEAD_RECORDS
        if member.item is None:
            head.fields[member.key] = member.value
        elif member.item < _HEAD_RECORDS:
            head.fields.setdefault(member.key, []).append(member.value)
        return True

    def records(self) -> Iterator[Record]:
        """The objects of a file of lines, or of a document that is a list; a document that is an object itself.

        What is no object, or no JSON, is noted and left out. Raises OSError.
        """
        if self.head.shape == "document":
            yield from self._document_records()
            return
        broken: list[int] = []
        strange: list[int] = []
        line_number, last_is_broken = 0, False
        with self.open_text() as file:
            for line_number, line in enumerate(file, 1):
                text = line.strip().strip("\ufeff\0")
                if not text:
                    continue
                try:
                    value = decode(text)
                except ValueError:
                    broken.append(line_number)
                    last_is_broken = True
                    continue
                last_is_broken = False
                if isinstance(value, dict):
                    yield Record(value, line_number)
                else:
                    strange.append(line_number)
        if last_is_broken:
            self.notes.append(f"the last line ({broken.pop()}) is cut off; it was left out")
        if broken:
            self.notes.append(f"{_lines(broken)} no JSON, and left out")
        if strange:
            self.notes.append(f"{_lines(strange)} no object, and left out")

    def _document_records(self) -> Iterator[Record]:
        fields: dict[str, Any] = {}
        for member in self.members():
            if member.key == "" and member.item is not None:
                if isinstance(member.value, dict):
                    yield Record(member.value, member.line)
            elif member.item is None:
                fields[member.key] = member.value
            else:
                fields.setdefault(member.key, []).append(member.value)
        if fields:
            yield Record(fields, 1)

    def members(self) -> Iterator[Member]:
        """The pieces of a document, as far as it is JSON; a fault is noted. Raises OSError."""
        try:
            with self.open_text() as file:
                yield from members(iter(lambda: file.read(_CHUNK), ""))
        except BrokenJsonError as exc:
            self.notes.append(f"the document {exc}; what comes after was left out")


def open_zstd(path: Path) -> IO[bytes]:
    """A file that is compressed with zstd. Raises OSError where this Python cannot read it."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore] # Python 3.14
    except ImportError:
        raise OSError(f"is compressed; unpack it first: zstd -d {path.name}") from None
    opened: IO[bytes] = zstd.open(path)
    return opened


def _value(line: str) -> Any:
    try:
        return decode(line)
    except ValueError:
        return None


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:5])) + (f" and {len(numbers) - 5} more" if len(numbers) > 5 else "")
    return f"line {shown} is" if len(numbers) == 1 else f"lines {shown} are"
