"""Which recorded shell commands look as if they changed a file. Replay does not run them, so this is a warning."""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatch
from functools import lru_cache

from agentbench_lsp.models.paths import fold

_CHANGERS = frozenset(
    [
        "rm",
        "mv",
        "cp",
        "tee",
        "truncate",
        "dd",
        "install",
        "ln",
        "patch",
        "shred",
        "unlink",
        "rsync",
        "touch",
        "chmod",
        "ed",
        "ex",
        "sponge",
    ]
)
_IN_PLACE = {"sed": re.compile(r"^(-[a-zA-Z]*i|--in-place)"), "perl": re.compile(r"^-[a-zA-Z]*i")}
_GIT_CHANGERS = frozenset(
    [
        "checkout",
        "restore",
        "reset",
        "stash",
        "apply",
        "am",
        "clean",
        "mv",
        "rm",
        "revert",
        "switch",
        "pull",
        "merge",
        "rebase",
    ]
)
_GIT_EVERYTHING = frozenset(["reset", "stash", "apply", "am", "pull", "merge", "rebase", "revert", "switch"])
_INLINE_PROGRAMS = re.compile(r"^(python[0-9.]*|node|ruby|perl|php)$")
_WRITES_FILE = re.compile(
    r"open\s*\([^)]*['\"][rwax+b]*[wax+]|write_text|write_bytes|writeFile|File\.write|unlink|rename"
)
_FORMATTERS = frozenset(["black", "isort", "prettier", "gofmt", "rustfmt", "autopep8", "yapf"])
_INSTALLERS = frozenset({"npm", "pnpm", "yarn", "bun", "cargo", "go", "poetry", "uv", "composer", "bundle"})
_INSTALLS = frozenset(
    {"install", "i", "add", "ci", "remove", "update", "upgrade", "init", "get", "mod", "sync", "lock"}
)
_REDIRECTS = frozenset({">", ">>", ">|", "&>", "&>>"})
_SEPARATORS = frozenset({";", "&&", "||", "|", "&", "\n", "(", ")", "{", "}", "do", "then", "else"})


def may_change(command: str, path: str) -> bool:
    """True if `command` looks as if it wrote, moved or removed the workspace file `path` (folded)."""
    if not _could_name(command, path):
        return False
    return any(_part_may_change(words, path, command) for words in _risky_parts(command))


def changes_files(command: str) -> bool:
    """True if `command` looks as if it changed any file at all."""
    return bool(_risky_parts(command))


def change_reason(command: str) -> str | None:
    """Why a command looks as if it changed files of the workspace; None where it does not."""
    reasons = (_reason(words, command) for words in _parts(command))
    return next((reason for reason in reasons if reason is not None), None)


def _reason(words: list[str], command: str) -> str | None:
    for i, word in enumerate(words[:-1]):
        if word in _REDIRECTS and not words[i + 1].startswith("/dev/"):
            return f"it writes {words[i + 1]}"
    words = _without_prefixes(words)
    if not words:
        return None
    tool, rest = words[0].rpartition("/")[2], words[1:]
    verb = next((word for word in rest if not word.startswith("-")), "")
    if tool in _CHANGERS:
        return f"{tool} changes files"
    if tool in _FORMATTERS and not {"--check", "--diff", "-l", "-d"} & {*rest}:
        return f"{tool} rewrites files"
    if tool in _IN_PLACE and any(_IN_PLACE[tool].match(word) for word in rest):
        return f"{tool} edits files in place"
    if tool == "git" and verb in _GIT_CHANGERS:
        return f"git {verb} changes files"
    if tool in _INSTALLERS and verb in _INSTALLS:
        return f"{tool} {verb} writes packages and lock files"
    if _INLINE_PROGRAMS.match(tool) and _WRITES_FILE.search(command):
        return f"a {tool} program in the command writes files"
    return None


def _without_prefixes(words: list[str]) -> list[str]:
    while words and ("=" in words[0] or words[0] in ("sudo", "env", "time", "command", "exec", "xargs")):
        words = words[1:]
    return words


def _could_name(command: str, path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in command or any(sign in command for sign in ("*", "?", " .", "git ", "/", path.split("/")[0]))


@lru_cache(maxsize=20_000)  # every oracle of a task asks about every command of a trajectory
def _risky_parts(command: str) -> tuple[list[str], ...]:
    """The parts of a command that could change a file, if they name one."""
    return tuple(words for words in _parts(command) if _is_risky(words, command))


def _is_risky(words: list[str], command: str) -> bool:
    if any(word in _REDIRECTS for word in words):
        return True
    tools = [word.rpartition("/")[2] for word in words]
    risky = (_CHANGERS, _FORMATTERS, _IN_PLACE, ("git",))
    if any(tool in names for tool in tools for names in risky):
        return True
    return any(map(_INLINE_PROGRAMS.match, tools)) and bool(_WRITES_FILE.search(command))


def _parts(command: str) -> list[list[str]]:
    lexer = shlex.shlex(command.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:  # unbalanced quotes, here-documents: plain words are good enough for a warning
        words = command.split()
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _SEPARATORS:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _part_may_change(words: list[str], path: str, command: str) -> bool:
    for i, word in enumerate(words[:-1]):
        if word in _REDIRECTS and _names(words[i + 1], path):
            return True
    words = _without_prefixes(words)
    if not words:
        return False
    tool, rest = words[0].rpartition("/")[2], words[1:]
    named = any(_names(word, path) for word in rest)
    if tool in _CHANGERS or tool in _FORMATTERS:
        return named
    if tool in _IN_PLACE and any(_IN_PLACE[tool].match(word) for word in rest):
        return named
    if tool == "git" and (verb := next((w for w in rest if not w.startswith("-")), "")) in _GIT_CHANGERS:
        return named or verb in _GIT_EVERYTHING
    if _INLINE_PROGRAMS.match(tool):
        return path.rpartition("/")[2] in command and bool(_WRITES_FILE.search(command))
    return False


def _names(word: str, path: str) -> bool:
    if word.startswith("-"):
        return False
    target = fold(word)
    if target in ("", ".") or target == path or path.startswith(target + "/"):
        return True
    if any(sign in word for sign in "*?["):
        return fnmatch(path, target)
    # An absolute path, or one after a `cd`: the end of it has to do.
    return path.endswith("/" + target) or target.endswith("/" + path)
