"""Takes the pictures of the README from the product: the command line, and Neovim with the language server.

Each program runs in a terminal of its own (a pty), `pyte` reads what it draws, and the screen is written as SVG.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import tempfile
import termios
import time
from html import escape
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
BIN = Path(sys.executable).parent
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.43, 18, 14
BACKGROUND, FOREGROUND = "#14161b", "#e0e2ea"
NAMES = {
    "default": FOREGROUND,
    "black": "#4f5258",
    "red": "#ff8f88",
    "green": "#8ce99a",
    "brown": "#fce094",
    "blue": "#8fc7ff",
    "magenta": "#ffb8ff",
    "cyan": "#8cf8f7",
    "white": "#eef1f8",
}
QUIET_SECONDS, LIMIT_SECONDS = 0.6, 60.0


def screen_of(command: list[str], columns: int, rows: int, env: dict[str, str], ready: Path | None) -> pyte.Screen:
    """What a program has drawn at its end, or once it has made the file `ready` and then been quiet."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execvpe(command[0], command, {**os.environ, **env, "TERM": "xterm-256color"})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    limit = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < limit:
        if not select.select([fd], [], [], QUIET_SECONDS)[0]:
            if ready is not None and ready.exists():
                break
            continue
        try:
            stream.feed(os.read(fd, 1 << 16))
        except OSError:
            break
    os.close(fd)
    os.waitpid(pid, 0)
    return screen


def svg_of(screen: pyte.Screen, title: str) -> str:
    """The screen without its empty last rows."""
    rows = [y for y in range(screen.lines) if screen.display[y].strip()]
    height = (max(rows) + 1 if rows else 1) * CELL_HEIGHT + 2 * MARGIN
    width = screen.columns * CELL_WIDTH + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    for y in range(screen.lines):
        parts += row_of(screen, y)
    return "\n".join([*parts, "</svg>", ""])


def row_of(screen: pyte.Screen, y: int) -> list[str]:
    """Runs of cells of one style: a rectangle where they have a background, and their text."""
    found = []
    x = 0
    while x < screen.columns:
        cell = screen.buffer[y][x]
        end = x
        while end < screen.columns and screen.buffer[y][end]._replace(data="") == cell._replace(data=""):
            end += 1
        text = "".join(screen.buffer[y][i].data for i in range(x, end))
        front, back = colour(cell.fg, FOREGROUND), colour(cell.bg, BACKGROUND)
        if cell.reverse:
            front, back = back, front
        left, top = MARGIN + x * CELL_WIDTH, MARGIN + y * CELL_HEIGHT
        length = (end - x) * CELL_WIDTH
        if back != BACKGROUND:
            found.append(f'<rect x="{left:.1f}" y="{top}" width="{length:.1f}" height="{CELL_HEIGHT}" fill="{back}"/>')
        if text.strip():
            weight = ' font-weight="bold"' if cell.bold else ""
            line = ' text-decoration="underline"' if cell.underscore else ""
            found.append(
                f'<text x="{left:.1f}" y="{top + 13}" textLength="{length:.1f}" fill="{front}"{weight}{line}'
                f' xml:space="preserve">{escape(text)}</text>'
            )
        x = end
    return found


def colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return NAMES.get(name.removeprefix("bright"), f"#{name}")


def save(name: str, screen: pyte.Screen, title: str) -> None:
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / name).write_text(svg_of(screen, title), encoding="utf-8")


def record_gate() -> None:
    """Two agents at the same task."""
    task = "01_pagination_off_by_one"
    runs = [
        f"agentbench run --task {task}.json --trajectory trajectories/{task}.{name}.json"
        for name in ("pass", "weakened_tests")
    ]
    script = "cd tasks; " + "; echo; ".join(f"printf '\\033[1m$ %s\\033[0m\\n' '{run}'; {run}" for run in runs)
    env = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    save("run.svg", screen_of(["sh", "-c", script], 136, 30, env, None), "agentbench run, in a terminal")


def record_neovim() -> None:
    """A task in Neovim: a misspelled type, and an oracle that failed."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready"
        env = {"READY": str(ready), "SERVER": f"{BIN / 'agentbench-lsp'}"}
        command = [str(BIN / "nvim"), "-u", "NONE", "-i", "NONE", "-n", "-S", "docs/record.lua"]
        save("neovim.svg", screen_of(command, 118, 26, env, ready), "A task in Neovim with AgentBench LSP")


if __name__ == "__main__":
    record_gate()
    record_neovim()
