"""Memory and time of importing a session of 100 MB: what is kept grows with the edits, not with the recording."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from agentbench_lsp.importers.core.importing import read_sessions
from agentbench_lsp.importers.core.source import Source

SIZE = 100_000_000  # bytes
EDITS = 200


def main() -> None:
    """Print the seconds, the peak before and after, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        write(path)
        before = peak()
        started = time.perf_counter()
        (session,) = read_sessions(Source(path))
        seconds = time.perf_counter() - started
        print(f"{path.stat().st_size / 1e6:.0f} MB, {session.fidelity.steps} steps: {seconds:.2f} s,")
        print(f"peak memory {before:.0f} MB before, {peak():.0f} MB after")


def write(path: Path) -> None:
    """A session of Claude Code: edits, and commands with long outputs."""
    about = {"sessionId": "s", "cwd": "/repo"}
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while file.tell() < SIZE:
            is_edit = number < EDITS
            args = {"file_path": f"/repo/{number}", "content": "x"} if is_edit else {"command": "make"}
            call = {"type": "tool_use", "id": f"t{number}", "name": "Write" if is_edit else "Bash", "input": args}
            result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "output " * 8000}
            for kind, part in (("assistant", call), ("user", result)):
                message = {"role": kind, "content": [part]}
                record = {**about, "type": kind, "uuid": f"{kind}{number}", "message": message}
                file.write(json.dumps(record) + "\n")
            number += 1


def peak() -> float:
    """Peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    main()
