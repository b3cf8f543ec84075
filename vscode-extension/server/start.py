"""Starts the language server with what the extension carries: `python start.py STRATEGY [server arguments]`.

STRATEGY is `useBundled` or `fromEnvironment`, where what is installed in the interpreter comes first. This file must
run on Pythons that the server does not. It is alone in its folder: Python puts that on its path.

With `--check` as the only server argument it only sees whether the interpreter fits.
"""

import os
import sys

UNSUITABLE = 78  # exit code: another interpreter is needed; the last line on stderr says why


def main() -> None:
    """Set the path up and run the server."""
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.version_info < (3, 11):
        refuse("the server needs Python 3.11 or newer; %s is %s" % (sys.executable, sys.version.split()[0]))
    strategy = sys.argv[1]
    del sys.argv[1]
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    libs = os.path.join(here, "libs")
    if strategy == "fromEnvironment":
        sys.path.append(libs)
    else:
        sys.path.insert(0, libs)
    try:
        import rpds
    except ImportError as exc:
        # What is in the bundle does not fit; the environment may have its own.
        sys.path.remove(libs)
        sys.path.append(libs)
        sys.modules.pop("rpds", None)
        try:
            import rpds  # noqa: F401
        except ImportError:
            told = "the extension has no compiled library rpds for %s (Python %s on %s: %s)"
            told += "; use another interpreter, or `pip install jsonschema` there"
            refuse(told % (sys.executable, sys.version.split()[0], sys.platform, exc))
    if sys.argv[1:] == ["--check"]:
        return
    from agentbench_lsp.cli.main import main as run

    sys.argv[0] = "agentbench"
    run()


def refuse(message: str) -> None:
    """Say why and end."""
    sys.stderr.write(message + "\n")
    sys.exit(UNSUITABLE)


if __name__ == "__main__":
    main()
