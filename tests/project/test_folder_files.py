"""Which files of a real folder a new task may take."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agentbench_lsp.project import folder_files as subject
from agentbench_lsp.project.folder_files import FolderError, folder_files, read_files


def fill(folder: Path, **files: str | bytes) -> None:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def offered(folder: Path) -> dict[str, str | None]:
    return {file.path: file.refused for file in folder_files(folder)}


def test_what_git_ignores_is_not_offered_and_git_agrees(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    for path, content in {
        ".gitignore": "*.log\n!keep.log\nbuild/\n/only_here.txt\n",
        "a.log": "",
        "keep.log": "",
        "only_here.txt": "",
        "build/out.txt": "",
        "sub/only_here.txt": "",
        "sub/.gitignore": "!a.log\nsecret*\n",
        "sub/a.log": "",
        "sub/secret.env": "",
        "sub/deep/secrets/x": "",
        "sub/deep/b.log": "",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git" / "info" / "exclude").write_text("b.log\n", encoding="utf-8")
    listed = ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard"]
    wanted = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
    assert sorted(offered(root)) == sorted(wanted)
    below = [path.removeprefix("sub/") for path in wanted if path.startswith("sub/")]
    assert sorted(offered(root / "sub")) == sorted(below)


def test_what_cannot_be_taken_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "LARGEST", 10)
    outside = tmp_path / "outside"
    outside.write_text("secret", encoding="utf-8")
    folder = tmp_path / "folder"
    fill(folder, text="x", binary=b"\0x", latin=b"\xe9", large="12345678901", node_modules__x="x")
    (folder / "link").symlink_to(outside)
    (folder / "linked_folder").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    assert offered(folder) == {
        "binary": "it is binary",
        "large": "it has 11 bytes; a file may have 10",
        "latin": "it is not UTF-8 text (byte 0)",
        "link": "it is a link",
        "linked_folder": "it is a link",
        "pipe": "it is no regular file",
        "text": None,
    }
    assert read_files(folder, ["text"]) == {"text": "x"}
    for path, reason in {"link": "a link", "../outside": "is no file of", "binary": "binary"}.items():
        with pytest.raises(FolderError, match=reason):
            read_files(folder, [path])


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, a="12345", b="67890")
    monkeypatch.setattr(subject, "LARGEST_TASK", 9)
    assert read_files(tmp_path, ["a"]) == {"a": "12345"}
    with pytest.raises(FolderError, match="10 bytes together"):
        read_files(tmp_path, ["a", "b"])
    monkeypatch.setattr(subject, "MOST_FILES", 1)
    with pytest.raises(FolderError, match="choose a folder below"):
        folder_files(tmp_path)
    with pytest.raises(FolderError, match="is no folder"):
        folder_files(tmp_path / "a")


def test_lines_that_git_passes_over_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"!\n\xff\n/\n*.log\n")
    fill(tmp_path, a_dot_log="", b_dot_txt="")
    assert sorted(offered(tmp_path)) == [".gitignore", "b.txt"]


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff.txt", "wb"):  # noqa: PTH123 - a path of bytes
        pass
    assert offered(tmp_path) == {"?.txt": "its name is not UTF-8"}
