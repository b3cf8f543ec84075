"""Making the tree: one pass over the tokens, with guesses about what the author meant where something is wrong."""

from __future__ import annotations

import json

from agentbench_lsp.syntax.mistakes import Mistakes, has_children
from agentbench_lsp.syntax.nodes import ArrayNode, LiteralNode, Node, ObjectNode, PropertyNode, StringNode
from agentbench_lsp.syntax.recovery import Expects, Frame, closing_depth
from agentbench_lsp.syntax.token_reader import STRINGS, Repair
from agentbench_lsp.syntax.tokens import Token


class TreeBuilder(Mistakes):
    """One pass over the tokens. With `recover` False it raises `NotPlainError` at the first error."""

    def __init__(self, text: str, tokens: list[Token], recover: bool) -> None:
        super().__init__(text, tokens, recover)
        self.root: Node | None = None
        self.closed_root: Frame | None = None

    def run(self) -> None:
        """Read everything, and close what is open at the end."""
        self.read()
        self.drop_superfluous_root()
        while self.stack:
            frame = self.stack[-1]
            what = "}" if frame.is_object else "]"
            at = self.previous_end
            message = f"this is never closed; a {what} is missing"
            self.fault(frame.opener.start, frame.opener.end, message, Repair(at, at, what))
            self.finish(self.previous_end, closed=False)
        if self.root is None:
            self.fault(0, len(self.text), "the document is empty")

    def drop_superfluous_root(self) -> None:
        """A bracket before the document that nothing closes: what it holds is the document."""
        if len(self.stack) == 1 and not self.stack[0].is_object:
            (frame,) = self.stack
            if isinstance(frame.node, ArrayNode) and [type(item) for item in frame.node.items] == [ObjectNode]:
                self.superfluous(frame.opener, "this [ is never closed; remove it")
                self.root = frame.node.items[0]
                self.stack.clear()

    def read(self) -> None:
        """Read all tokens; `stack` is then what is still open."""
        tokens, stack = self.tokens, self.stack
        while True:
            token = tokens[self.i]
            kind = token.kind
            if kind == "end":
                break
            if kind == "comment":
                self.superfluous(token, "JSON has no comments; remove it", certain=True)
            elif not stack and self.root is not None and not _is_no_value(self.root):
                self.after_root(token)
            elif kind in STRINGS:
                self.on_string(token)
            elif kind in ("{", "["):
                self.on_open(token)
            elif kind in ("}", "]"):
                self.on_close(token)
            elif kind == ",":
                self.on_comma(token)
            elif kind == ":":
                self.on_colon(token)
            else:
                self.on_scalar(token)
            self.previous_end = token.end
            self.i += 1

    def place(self, node: Node) -> None:
        """Put a value where one is expected; elsewhere say what is missing first."""
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        container = frame.node
        if isinstance(container, ArrayNode):
            if frame.expects == "comma" and not self.replaces_last_item(container, node):
                return
            container.items.append(node)
        else:
            if frame.expects == "colon":
                self.missing("a colon")
            container.properties[-1].value = node
        frame.expects = "comma"

    def on_string(self, token: Token) -> None:
        frame = self.stack[-1] if self.stack else None
        is_key = self.next_kind() == ":" and not self.is_before_stray_colon(token, frame)
        if frame is None and is_key:
            frame = self.open_before_key(token)
        if frame is not None and is_key:
            frame = self.frame_for_key(token, frame)
            if frame.expects != "key":
                if frame.expects == "comma":
                    self.missing("a comma")
                else:
                    self.missing("a value")
            self.add_key(frame, self.string(token))
        elif frame is not None and frame.is_object and frame.expects in ("key", "comma"):
            if frame.expects == "comma":
                self.missing("a comma")
            self.add_key(frame, self.string(token))
        else:
            self.place(self.string(token))

    def frame_for_key(self, token: Token, frame: Frame) -> Frame:
        """The object that `"key":` belongs to: an unclosed container may stand before it, or a brace be missing."""
        if self.recover:
            while len(self.stack) > 1 and self.is_outside(token, frame):
                self.close_implicitly()
                frame = self.stack[-1]
            last = frame.last_child
            goes_on = frame.expects == "comma" and last is not None and self.layout.is_deeper(token.start, last.start)
            if goes_on and isinstance(last, ObjectNode):  # and no comma stands behind it
                return self.reopen(last)
        if self.recover and len(self.stack) > 1 and self.stack[-2].is_object and frame.holds_words:
            self.close_implicitly()  # most likely its opening bracket was typed by mistake
            frame = self.stack[-1]
        if not frame.is_object:
            return self.open_before_key(token)
        if frame.expects == "value" and self.recover:
            assert isinstance(frame.node, ObjectNode)  # noqa: S101 - for the type checker
            if self.layout.is_deeper(token.start, frame.node.properties[-1].start):
                return self.open_before_key(token)
        return frame

    def reopen(self, node: ObjectNode) -> Frame:
        """The object that was closed before its end."""
        self.fault(max(0, node.end - 1), node.end, "this } stands before the end of the object")
        frame = Frame(node, Token("{", node.start, node.start + 1), "comma" if node.properties else "key")
        self.stack.append(frame)
        return frame

    def open_before_key(self, token: Token) -> Frame:
        """The object whose opening brace was not written."""
        node = ObjectNode(token.start, token.end)
        self.place(node)
        self.fault(token.start, token.end, "a { is missing before this key")
        frame = Frame(node, token, "key")
        self.stack.append(frame)
        return frame

    def add_key(self, frame: Frame, key: StringNode) -> None:
        assert isinstance(frame.node, ObjectNode)  # noqa: S101 - for the type checker
        frame.node.properties.append(PropertyNode(key))
        frame.expects = "colon"

    def on_scalar(self, token: Token) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.is_object and frame.expects in ("key", "comma"):
            if frame.expects == "comma":
                self.missing("a comma")
            quoted = Repair(token.start, token.end, json.dumps(self.text[token.start : token.end], ensure_ascii=False))
            self.fault(token.start, token.end, "a key needs quotes", quoted)
            self.add_key(frame, StringNode(token.start, token.end, self.text, opened=False, closed=False))
        else:
            self.place(self.scalar(token))

    # Containers

    def on_open(self, token: Token) -> None:
        node: ObjectNode | ArrayNode
        node = ObjectNode(token.start, token.end) if token.kind == "{" else ArrayNode(token.start, token.end)
        expects: Expects = "key" if token.kind == "{" else "item"
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.is_object and frame.expects in ("key", "comma"):
            if not self.open_in_key_place(token, node, frame):
                return
        elif frame is not None and frame.expects == "colon" and self.next_kind() == ":":
            self.superfluous(token, f"this {token.kind} opens nothing; remove it")
            return
        elif frame is not None and self.is_pair_by_mistake(token, frame):
            self.skip_pair(token)
            return
        else:
            self.place(node)
        self.stack.append(Frame(node, token, expects))

    def open_in_key_place(self, token: Token, node: ObjectNode | ArrayNode, frame: Frame) -> bool:
        """A container where a key should be: find what it was written for. False where it opens nothing."""
        assert isinstance(frame.node, ObjectNode)  # noqa: S101 - for the type checker
        last = frame.node.properties[-1] if frame.node.properties else None
        next_object = frame.expects == "key" and self.begins_next_object(token, frame)
        if last is not None and last.colon is not None and _is_no_value(last.value) and not next_object:
            last.value = node  # something superfluous stands between the colon and the value
            frame.expects = "comma"
        elif self.opens_empty_pair(token):
            self.skip_pair(token)
            return False
        elif last is not None and self.is_displaced_value(token, frame, last):
            assert last.value is not None  # noqa: S101 - for the type checker
            self.fault(last.value.start, last.value.end, "a value stands before the value; remove one of them")
            last.value = node
        elif self.next_kind() in (",", ":") or (self.next_is_key() and not self.begins_next_object(token, frame)):
            self.superfluous(token, f"this {token.kind} opens nothing; remove it")
            return False
        elif len(self.stack) > 1 and not self.stack[-2].is_object:
            self.close_implicitly()
            self.place(node)
        elif last is not None and isinstance(last.value, ArrayNode):
            self.fault(max(0, last.value.end - 1), last.value.end, "this ] stands before the end of the list")
            last.value.items.append(node)
            self.stack.append(Frame(last.value, Token("[", last.value.start, last.value.start + 1), "comma"))
        elif last is not None and isinstance(last.value, ObjectNode) and isinstance(node, ObjectNode):
            self.fault(last.value.start, last.value.start + 1, "a [ is missing before this list")
            items = ArrayNode(last.value.start, token.start, [last.value, node], closed=False)
            last.value = items
            frame.expects = "comma"
            self.stack.append(Frame(items, Token("[", items.start, items.start + 1), "comma"))
        else:
            self.fault(token.start, token.end, "a key is missing before this")
        return True

    def on_close(self, token: Token) -> None:
        if not self.stack:
            self.superfluous(token, f"this {token.kind} closes nothing")
            return
        plain = self.stack[-1].is_object == (token.kind == "}") and not self.recover
        depth = 0 if plain else closing_depth(self.stack, token, self.layout, self.next_kind(), self.next_is_key())
        if depth is None and token.kind == "]" and self.gather_list(token):
            return
        if depth is None:
            self.superfluous(token, f"this {token.kind} closes nothing; remove it")
            return
        for _ in range(depth):
            self.close_implicitly()
        self.before_close(self.stack[-1])
        self.finish(token.end, closed=True)

    def before_close(self, frame: Frame) -> None:
        """What is not finished when a container ends."""
        if frame.expects == "colon":
            self.missing("a colon and a value")
        elif frame.expects == "value":
            self.missing("a value")
        elif comma := frame.dangling_comma:
            self.superfluous(comma, "no comma may stand before the end; remove it", certain=True)

    def close_implicitly(self) -> None:
        """End a container whose closer was not written; a comma behind it is then the outer container's."""
        frame = self.stack[-1]
        comma = frame.dangling_comma
        end = frame.before_comma if comma else self.previous_end
        self.missing("a }" if frame.is_object else "a ]", end)
        self.finish(end, closed=False)
        if comma and self.stack:
            outer = self.stack[-1]
            outer.expects, outer.last_comma, outer.before_comma = "key" if outer.is_object else "item", comma, end

    def finish(self, end: int, closed: bool) -> None:
        frame = self.stack.pop()
        frame.node.end = max(end, frame.node.end)
        frame.node.closed = closed
        if not self.stack:
            self.closed_root = frame

    # Separators

    def on_comma(self, token: Token) -> None:
        if not self.stack:
            self.fault(token.start, token.end, "a value is missing before this comma")
            return
        frame = self.stack[-1]
        if frame.expects in ("key", "item"):
            what = "key" if frame.is_object else "value"
            self.fault(token.start, token.end, f"a {what} is missing before this comma")
        elif frame.expects == "colon":
            self.missing("a colon and a value")
        elif frame.expects == "value":
            self.missing("a value")
        frame.expects = "key" if frame.is_object else "item"
        frame.last_comma, frame.before_comma = token, self.previous_end

    def on_colon(self, token: Token) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is None or not isinstance(frame.node, ObjectNode) or frame.expects in ("key", "comma"):
            self.fault(token.start, token.end, "no colon may stand here")
            last = frame.node.properties[-1:] if frame and isinstance(frame.node, ObjectNode) else []
            if frame and last and last[0].colon is None:
                # It belongs to the key before what is superfluous.
                last[0].colon, last[0].value, frame.expects = token.start, None, "value"
            return
        if frame.expects == "value":
            self.superfluous(token, "one colon is enough", certain=True)
            return
        frame.node.properties[-1].colon = token.start
        frame.expects = "value"

    def after_root(self, token: Token) -> None:
        """Text behind the document. What looks like more of its object is taken as that."""
        frame = self.closed_root
        if token.kind in ("{", "[") and self.root is not None and not has_children(self.root):
            self.fault(self.root.start, self.root.end, "this stands before the document; remove it")
            self.root = None
            self.on_open(token)
            return
        self.fault(token.start, token.end, "the document has already ended before this")
        if frame is None or frame.node is not self.root:
            return
        if token.kind in STRINGS and frame.is_object and self.next_kind() == ":":
            frame.expects = "key" if frame.dangling_comma else "comma"
            self.stack.append(frame)
            self.on_string(token)
        elif token.kind == "," and frame.is_object and self.next_is_key():
            frame.expects, frame.last_comma = "key", token
            self.stack.append(frame)


def _is_no_value(node: Node | None) -> bool:
    """True for a value that is missing, or a word that is none."""
    return node is None or (isinstance(node, LiteralNode) and not node.valid)
