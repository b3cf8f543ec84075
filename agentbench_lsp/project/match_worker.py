"""A child process that searches patterns for the server, which must never run one itself.

Reads lines of `[pattern, text, flags]`, answers each with its spans (`null`: not known); ends with its stdin.
"""

from __future__ import annotations

import json
import sys

from agentbench_lsp.project.matching import find_matches
from agentbench_lsp.runner.quiet import quiet_regexes


def main() -> None:
    """Serve until stdin ends."""
    quiet_regexes()
    for line in sys.stdin.buffer:
        answer = json.dumps(find_matches(*json.loads(line)))
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
