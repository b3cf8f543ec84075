"""Fields of a document, and a whole task for an empty one."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_lsp.dsl.schema import document_schema
from agentbench_lsp.language.completion.item import Completion, Request
from agentbench_lsp.language.snippet import INDENT, escape


def provide(request: Request) -> Iterator[Completion]:
    """At the top of the document."""
    kind = request.view.document.kind
    cursor = request.cursor
    if kind is None:
        return
    if cursor.expects == "document":
        text = request.view.document.text
        if not (text[: cursor.start] + text[cursor.end :]).strip():
            yield from _skeletons(request, kind)
    elif cursor.path == () and request.at_key:
        for name, schema in document_schema(kind)["properties"].items():
            if name not in request.present:
                snippet = f'"{name}": {_value(request, name, schema)}'
                yield request.item(name, "field", snippet, "", schema.get("description", ""))


def _value(request: Request, name: str, schema: dict[str, object]) -> str:
    if name == "id" and (stem := file_stem(request)):
        return f'"${{1:{escape(stem)}}}"'
    return {"object": "{\n  $1\n}", "array": "[$1]"}.get(_first_type(schema), '"$1"')


def file_stem(request: Request) -> str:
    """Name of the file without its endings."""
    name = request.view.around.name or request.view.document.path.rpartition("/")[2]
    return name.removesuffix(".json").removesuffix(".task")


def _first_type(schema: dict[str, object]) -> str:
    kind = schema.get("type", "string")
    return str(kind[0] if isinstance(kind, list) else kind)


def _skeletons(request: Request, kind: str) -> Iterator[Completion]:
    label = {"task": "task", "trajectory": "trajectory", "manifest": "manifest"}[kind]
    body = {"task": _task(escape(file_stem(request))), "trajectory": _TRAJECTORY, "manifest": _MANIFEST}[kind]
    yield request.item(label, "snippet", body, f"a whole {label}")


def _task(stem: str) -> str:
    return f"""{{
{INDENT}"id": "${{1:{stem}}}",
{INDENT}"name": "$2",
{INDENT}"description": "$3",
{INDENT}"prompt": "$4",
{INDENT}"workspace": {{
{INDENT}{INDENT}"$5": "$6"
{INDENT}}},
{INDENT}"oracles": [
{INDENT}{INDENT}$7
{INDENT}]
}}"""


_TRAJECTORY = f"""{{
{INDENT}"metadata": {{
{INDENT}{INDENT}"agent": "$1"
{INDENT}}},
{INDENT}"steps": [
{INDENT}{INDENT}$2
{INDENT}]
}}"""
_MANIFEST = f"""{{
{INDENT}"description": "$1",
{INDENT}"task_files": [
{INDENT}{INDENT}"$2"
{INDENT}]
}}"""
