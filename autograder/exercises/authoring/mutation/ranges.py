"""How large may the integers of a function become, in any launch that the contract allows?

Intervals, joined over all that is ever assigned to a variable, wherever that stands; only the condition of a loop's
head bounds what the loop counts. What this does not follow may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from .conditions import is_guarded, step_of
from .contract import Contract
from .intervals import MOST, SIGNED, UNSIGNED, WORDS, Span, compute, fits, join
from .syntax import arguments, called, named, part, text_of, walk

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
#: After this many rounds, what still grows may be anything.
_ROUNDS = 8
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$")
_SIZES = {"threadIdx": "blockDim", "blockIdx": "gridDim"}


@dataclass(frozen=True)
class _Definition:
    """`name` becomes `left operator right`, or `right` if there is no operator; where this is the step of a loop,
    within `head`."""

    name: str
    right: Node | None
    operator: str = ""
    head: Node | None = None


class _NoValueYetError(Exception):
    """An expression has a variable that nothing was assigned to so far."""


class Ranges:
    """The intervals of a function's variables and expressions; None for what may be anything.

    Args:
        function: its definition.
        root: of the whole text.
        contract: what the contract says of a launch.
    """

    def __init__(self, function: Node, root: Node, contract: Contract) -> None:
        self._spans = contract.spans
        self._of: dict[str, Span | None] = {}
        self._limits: dict[str, Span] = {}
        self._unsigned: set[str] = set()
        self._words: dict[str, bool] = {}
        self._changing = {
            text_of(part(part(node, "declarator"), "declarator"))
            for node in walk(root)
            if node.type == "function_definition" and "&" in text_of(part(node, "declarator"))
        }
        definitions = [*self._constants(root), *self._definitions(function)]
        self._open = {definition.name for definition in definitions}
        self._fix(definitions)
        self._open = set()

    def variable(self, name: str) -> Span | None:
        """What a variable may be; None also for what is not known as an integer variable."""
        return self._of.get(name)

    def is_word(self, node: Node) -> bool:
        """Whether an expression is sure to be an `int` or an `unsigned int`."""
        match node.type:
            case "identifier":
                return self._words.get(text_of(node), False)
            case "number_literal":
                return bool(_NUMBER.match(text_of(node))) and "l" not in text_of(node).lower()
            case "field_expression":
                return text_of(node) in self._spans or self._place(text_of(node)) is not None
            case "cast_expression":
                return text_of(part(node, "type")) in WORDS
            case "subscript_expression":
                return self._words.get(f"{text_of(part(node, 'argument'))}[]", False)
            case "parenthesized_expression":
                return self.is_word(named(node)[0])
            case "binary_expression":
                return all(self.is_word(part(node, side)) for side in ("left", "right"))
            case "conditional_expression":
                return all(self.is_word(part(node, branch)) for branch in ("consequence", "alternative"))
        return False

    def _word(self, name: str, kind: str, elements: bool = False) -> None:
        key = f"{name}[]" if elements else name
        self._words[key] = kind in WORDS and self._words.get(key, True)

    def of(self, node: Node, known: Mapping[str, Span | None] | None = None) -> Span | None:
        """What an expression may be; `known` overrides what variables may be."""
        span = self._of_expression(node, known or {})
        return span if span and fits(span, (-MOST, MOST)) else None

    def is_unsigned(self, node: Node) -> bool:
        """Whether an expression may have an unsigned type."""
        if node.type == "cast_expression":
            return text_of(part(node, "type")) not in SIGNED
        if node.type in ("subscript_expression", "call_expression"):
            return True
        if node.type == "identifier":
            return text_of(node) in self._unsigned
        if node.type == "field_expression":
            return True
        if node.type == "number_literal":
            return "u" in text_of(node).lower()
        return any(self.is_unsigned(child) for child in named(node))

    # -- definitions

    def _constants(self, root: Node) -> Iterator[_Definition]:
        for node in root.children:
            if node.type == "declaration":
                yield from self._declared(node)
            elif node.type == "preproc_def":
                given = node.child_by_field_name("value")
                number = _NUMBER.match(text_of(given).partition("//")[0].strip()) if given is not None else None
                self._of[text_of(part(node, "name"))] = (int(number[1], 0),) * 2 if number else None

    def _definitions(self, function: Node) -> Iterator[_Definition]:
        for node in walk(function):
            if node.type == "declaration":
                yield from self._declared(node)
            elif node.type == "parameter_declaration":
                for name in _names(node):
                    self._of[name] = self._spans.get(name)
                    self._word(name, text_of(part(node, "type")), elements="*" in text_of(node))
                    if "unsigned" in text_of(node) or "size_t" in text_of(node):
                        self._unsigned.add(name)
            elif node.type == "assignment_expression":
                target, operator = part(node, "left"), text_of(part(node, "operator")).removesuffix("=")
                if target.type == "identifier":
                    yield _Definition(text_of(target), part(node, "right"), operator, step_of(node, text_of(target)))
            elif node.type == "update_expression":
                target = part(node, "argument")
                if target.type == "identifier":
                    sign = text_of(part(node, "operator"))[0]
                    yield _Definition(text_of(target), None, sign, step_of(node, text_of(target)))
            elif node.type == "pointer_expression" and text_of(node).startswith("&"):
                self._of[text_of(part(node, "argument"))] = None
            elif node.type == "lambda_declarator" and "&" in text_of(node):
                self._changing |= {*_names(function)}
            elif node.type == "call_expression" and called(node) in self._changing:
                self._of.update(dict.fromkeys(map(text_of, arguments(node))))

    def _declared(self, node: Node) -> Iterator[_Definition]:
        kind = text_of(part(node, "type"))
        for declarator in node.children_by_field_name("declarator"):
            plain = declarator.type == "init_declarator"
            name = part(declarator, "declarator") if plain else declarator
            if name.type != "identifier" or kind not in (*SIGNED, *UNSIGNED):
                self._of[next(_names(name))] = None  # an array, whose length has names of its own
                self._word(next(_names(name)), kind, elements=name.type == "array_declarator")
                continue
            self._word(text_of(name), kind)
            self._limits[text_of(name)] = {**SIGNED, **UNSIGNED}[kind]
            if kind in UNSIGNED:
                self._unsigned.add(text_of(name))
            if plain:
                yield _Definition(text_of(name), part(declarator, "value"))

    def _fix(self, definitions: list[_Definition]) -> None:
        fixed = {name for name, span in self._of.items() if span is None}
        for turn in range(_ROUNDS + len(definitions)):
            changed = False
            for definition in definitions:
                name = definition.name
                if name in fixed:
                    continue
                try:
                    found = self._value(definition)
                except _NoValueYetError:
                    continue
                if found and not fits(found, self._limits.get(name, found)):
                    found = None
                before = self._of.get(name, found)
                joined = join(before, found)
                if name not in self._of or joined != self._of[name]:
                    changed = True
                    self._of[name] = joined if turn < _ROUNDS else None
                if self._of[name] is None:
                    fixed.add(name)
            if not changed:
                return
        self._of = dict.fromkeys(self._of)

    def _value(self, definition: _Definition) -> Span | None:
        name = definition.name
        if not definition.operator:
            return self.of(definition.right) if definition.right is not None else None
        known = {name: self._known(name)}
        if definition.head is not None:
            known = {name: self._within(definition.head, name)}
        right = (1, 1) if definition.right is None else self.of(definition.right, known)
        return compute(definition.operator, known[name], right, name in self._unsigned)

    def _known(self, name: str) -> Span | None:
        if name not in self._of and name in self._open:
            raise _NoValueYetError
        return self._of.get(name)

    def _within(self, condition: Node, name: str) -> Span | None:
        """What `name` may be where a loop's condition holds."""
        span = self._known(name)
        if span is None:
            return None
        while condition.type == "binary_expression" and text_of(part(condition, "operator")) == "&&":
            condition = part(condition, "left")
        if condition.type != "binary_expression" or text_of(part(condition, "left")) != name:
            return span
        end = self.of(part(condition, "right"))
        operator = text_of(part(condition, "operator"))
        unsigned = any(map(self.is_unsigned, named(condition)))
        if end is None or operator not in ("<", "<=", ">", ">=") or (unsigned and min(span[0], end[0]) < 0):
            return span
        if operator in ("<", "<="):
            return span[0], max(span[0], end[1] - (operator == "<"))
        return min(span[1], end[0] + (operator == ">")), span[1]

    # -- expressions

    def _of_expression(self, node: Node, known: Mapping[str, Span | None]) -> Span | None:
        text = text_of(node)
        match node.type:
            case "number_literal":
                number = _NUMBER.match(text)
                return (int(number[1], 0),) * 2 if number else None
            case "true" | "false":
                return (0, 1)
            case "identifier":
                return known[text] if text in known else self._known(text)
            case "field_expression":
                return self._place(text)
            case "parenthesized_expression":
                return self.of(named(node)[0], known)
            case "cast_expression":
                value = self.of(part(node, "value"), known)
                limits = {**SIGNED, **UNSIGNED}.get(text_of(part(node, "type")))
                return value if value and limits and fits(value, limits) else None
            case "conditional_expression":
                return join(*(self.of(part(node, branch), known) for branch in ("consequence", "alternative")))
            case "call_expression" if called(node) in ("min", "max"):
                return self._of_choice(node, known)
            case "unary_expression":
                value = self.of(part(node, "argument"), known)
                if text.startswith("!"):
                    return (0, 1)
                return (-value[1], -value[0]) if text.startswith("-") and value and not self.is_unsigned(node) else None
            case "binary_expression":
                return self._of_binary(node, known)
        return None

    def _of_binary(self, node: Node, known: Mapping[str, Span | None]) -> Span | None:
        operator = text_of(part(node, "operator"))
        if operator in (*COMPARISONS, "&&", "||"):
            return (0, 1)
        left, right = self.of(part(node, "left"), known), self.of(part(node, "right"), known)
        if operator == "-" and left and right and is_guarded(node):
            return max(0, left[0] - right[1]), max(0, left[1] - right[0])
        return compute(operator, left, right, self.is_unsigned(node))

    def _of_choice(self, node: Node, known: Mapping[str, Span | None]) -> Span | None:
        spans = [self.of(argument, known) for argument in arguments(node)]
        sure = [span for span in spans if span is not None]
        unsigned = any(map(self.is_unsigned, arguments(node)))
        if len(sure) < len(spans) or (unsigned and any(low < 0 for low, _ in sure)):
            return None
        choose = min if called(node) == "min" else max
        return choose(low for low, _ in sure), choose(high for _, high in sure)

    def _place(self, text: str) -> Span | None:
        name, _, axis = text.partition(".")
        if name in _SIZES:
            return 0, self._spans[f"{_SIZES[name]}.{axis}"][1] - 1
        return self._spans.get(text)


def _names(node: Node) -> Iterator[str]:
    return (text_of(inner) for inner in walk(node) if inner.type == "identifier")
