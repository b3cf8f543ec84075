"""A file is written whole: Write, write_file, create_file, `create` of text editors."""

from __future__ import annotations

from dataclasses import dataclass

from agentbench_lsp.runner.edits.base import Changed, FileEdit, encode, is_crlf, to_crlf


@dataclass(frozen=True, slots=True)
class WholeFile(FileEdit):
    """`name` is the argument that holds the content.

    `as_found`: the recording shows the content with LF, as the agent saw it; a file with CRLF keeps its line ends.
    """

    content: str
    name: str = "content"
    as_found: bool = False

    def change(self, old: bytes | None) -> Changed:
        new = encode(self.content, self.name)
        if self.as_found and old is not None and is_crlf(old) and b"\r" not in new:
            return Changed(to_crlf(new))
        return Changed(new)

    @property
    def text(self) -> str:
        return self.content
