"""What an author most likely did not mean: pairs, words, colons and brackets that were typed by mistake."""

from __future__ import annotations

from agentbench_lsp.syntax.nodes import ArrayNode, LiteralNode, Node, ObjectNode, PropertyNode, StringNode
from agentbench_lsp.syntax.recovery import Frame, Layout
from agentbench_lsp.syntax.token_reader import Repair, TokenReader
from agentbench_lsp.syntax.tokens import Token


class Mistakes(TokenReader):
    """Judges tokens by the containers that are open (`stack`) and by the layout."""

    def __init__(self, text: str, tokens: list[Token], recover: bool) -> None:
        super().__init__(text, tokens, recover)
        self.layout = Layout(text)
        self.stack: list[Frame] = []

    def is_before_stray_colon(self, token: Token, frame: Frame | None) -> bool:
        """True for a text that is no key in spite of its colon: an item of a list; a value, the colon a line below."""
        if frame is None or not self.recover:
            return False
        if not frame.is_object:
            return self.next_kind(2) in (",", "]", "end")
        return frame.expects == "value" and not self.layout.same_line(token.start, self.tokens[self.i + 1].start)

    def is_outside(self, key: Token, frame: Frame) -> bool:
        written = frame.opener.kind in ("{", "[")
        return written and self.layout.is_outside(key.start, frame.opener.start, frame.first_child)

    def opens_empty_pair(self, token: Token) -> bool:
        """True for `{}` and `[]`. Where no value is expected they were most likely typed by mistake."""
        return self.next_kind() == {"{": "}", "[": "]"}[token.kind]

    def is_pair_by_mistake(self, token: Token, frame: Frame) -> bool:
        """True for an empty pair between a key and its colon, or right behind an object of a list."""
        if not self.opens_empty_pair(token):
            return False
        if frame.expects == "colon":
            return self.next_kind(2) == ":"
        last = frame.last_child
        behind = not frame.is_object and frame.expects == "comma" and isinstance(last, ObjectNode)
        return behind and last is not None and self.layout.same_line(last.end, token.start)

    def skip_pair(self, token: Token) -> None:
        self.superfluous(token, "these brackets hold nothing; remove them")
        self.i += 1

    def replaces_last_item(self, container: ArrayNode, node: Node) -> bool:
        """What to do with an item that no comma stands before. False where it is left out.

        An object, and a word or an empty pair beside it, are one item and something typed by mistake.
        """
        *others, last = container.items
        same_line = self.layout.same_line(last.end, node.start)
        if self.recover and not has_children(last):
            among_objects = isinstance(node, ObjectNode) and all(isinstance(item, ObjectNode) for item in others)
            if among_objects or (same_line and isinstance(last, ObjectNode | ArrayNode)):
                self.fault(last.start, last.end, "this belongs to nothing; remove it", Repair(last.start, last.end, ""))
                container.items.pop()
                return True
        if self.recover and same_line and isinstance(last, ObjectNode) and isinstance(node, LiteralNode | StringNode):
            self.fault(node.start, node.end, "this belongs to nothing; remove it", Repair(node.start, node.end, ""))
            return False
        self.missing("a comma")
        return True

    def is_displaced_value(self, token: Token, frame: Frame, last: PropertyNode) -> bool:
        """True where a container follows a plain or empty value without a comma, and is the property's real value."""
        if frame.expects != "comma" or last.value is None or last.colon is None:
            return False
        if has_children(last.value):
            return False
        inner = self.tokens[self.i + 1]
        same_line = self.layout.same_line(last.value.start, token.start)
        return same_line and self.layout.is_deeper(inner.start, last.start)

    def begins_next_object(self, token: Token, frame: Frame) -> bool:
        """True where a brace in key place more likely begins the next object of a list than nothing at all."""
        if token.kind != "{":
            return False
        if len(self.stack) > 1 and not self.stack[-2].is_object:
            return self.layout.is_first_on_line(token.start)
        last = frame.last_child
        if isinstance(last, ArrayNode):
            return all(isinstance(item, ObjectNode) for item in last.items)
        return isinstance(last, ObjectNode)

    def gather_list(self, token: Token) -> bool:
        """Make a list of a value and the texts behind it that no colon follows: its opening bracket is missing."""
        node = self.stack[-1].node
        if not self.recover or not isinstance(node, ObjectNode):
            return False
        first = next((i for i, p in reversed(list(enumerate(node.properties))) if p.colon is not None), None)
        owner = node.properties[first] if first is not None else None
        if first is None or owner is None or not isinstance(owner.value, StringNode | LiteralNode):
            return False
        value, words = owner.value, [prop.key for prop in node.properties[first + 1 :]]
        self.fault(value.start, value.end, "a [ is missing before this list", Repair(value.start, value.start, "["))
        owner.value = ArrayNode(value.start, token.end, [value, *words])
        del node.properties[first + 1 :]
        self.stack[-1].expects = "comma"
        return True


def has_children(node: Node) -> bool:
    """True for a container that is not empty."""
    if not isinstance(node, ObjectNode | ArrayNode):
        return False
    return bool(node.properties if isinstance(node, ObjectNode) else node.items)
