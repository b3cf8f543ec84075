"""The environment of a command: reproducible, and without what looks like a secret."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

PASS_VARIABLE = "AGENTBENCH_PASS_ENV"  # noqa: S105 - comma-separated names that are passed whatever they look like
_SECRET = re.compile(
    r"TOKENS?($|_)|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(^|_)(API_?|ACCESS_?|PRIVATE_?|SSH_?)?KEY(_ID)?$"
    r"|(^|_)(PAT|AUTH|COOKIE|DSN)$|_KEY_|^SSH_AUTH_SOCK$|DATABASE_URL$",
    re.IGNORECASE,
)
# Sets, times and messages must not differ from machine to machine.
FIXED = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "CI": "true"}


def looks_secret(name: str) -> bool:
    """True for names such as GITHUB_TOKEN, AWS_SECRET_ACCESS_KEY, DB_PASSWORD."""
    return bool(_SECRET.search(name))


def clean_environment(pass_env: Iterable[str] = (), source: Mapping[str, str] | None = None) -> dict[str, str]:
    """`source` (default: this process's environment) without secrets, with `FIXED`. `pass_env` names stay."""
    source = os.environ if source is None else source
    passed = {*pass_env, *filter(None, source.get(PASS_VARIABLE, "").split(","))}
    kept = {name: value for name, value in source.items() if name in passed or not looks_secret(name)}
    return kept | {name: value for name, value in FIXED.items() if name not in passed}
