"""Whether a variable may have another type: all that it ever holds fits that type, and whatever is computed with it is
the same number in both."""

from __future__ import annotations

from tree_sitter import Node

from .contract import Contract
from .intervals import SIGNED, UNSIGNED, WORDS, Span, fits
from .mutants import Mutant
from .ranges import COMPARISONS, Ranges
from .syntax import called, function_around, is_kernel, named, parse, part, text_of, walk

#: A float holds all integers up to this one.
_EXACT = (-(1 << 24), 1 << 24)
_NATURAL = (0, (1 << 31) - 1)
_WIDE = ("size_t", "unsigned long long")


def is_same_in_type(text: str, mutant: Mutant, contract: Contract) -> bool:
    """Whether `mutant`, which gives variables of the answer `text` another type, does the same in every launch that
    the contract allows. The reasons are sound and few: False may just mean that none of them applies."""
    root = parse(text)
    declaration = next(
        (
            node
            for node in walk(root)
            if node.type == "declaration" and part(node, "type").start_byte == mutant.edit.start
        ),
        None,
    )
    function = None if declaration is None else function_around(declaration)
    if declaration is None or function is None or text_of(part(declaration, "type")) not in {**SIGNED, **UNSIGNED}:
        return False
    names = {*map(_declared_name, declaration.children_by_field_name("declarator"))}
    if "" in names or "__shared__" in text_of(declaration) or "auto" in text_of(function):
        return False  # arrays, what atomics may change, and what takes its type from another
    before, after = text_of(part(declaration, "type")), mutant.edit.replacement
    return _Variables(names, Ranges(function, root, contract), _arrays(function)).may_be(after, before, function)


def _arrays(function: Node) -> set[str]:
    """The arrays of a function: what it declares as such, and what a kernel is given."""
    found = {
        text_of(part(node, "declarator"))
        for node in walk(function)
        if node.type == "array_declarator" and part(node, "declarator").type == "identifier"
    }
    if is_kernel(function):
        for node in walk(part(function, "declarator")):
            if node.type == "pointer_declarator":
                found |= {text_of(inner) for inner in walk(node) if inner.type == "identifier"}
    changed = {text_of(part(node, "left")) for node in walk(function) if node.type == "assignment_expression"}
    return found - changed


def _declared_name(declarator: Node) -> str:
    name = part(declarator, "declarator") if declarator.type == "init_declarator" else declarator
    return text_of(name) if name.type == "identifier" else ""


class _Variables:
    """Variables of one declaration."""

    def __init__(self, names: set[str], ranges: Ranges, arrays: set[str]) -> None:
        self._names, self._ranges, self._arrays = names, ranges, arrays

    def may_be(self, kind: str, before: str, function: Node) -> bool:
        """Whether these may be of type `kind` in place of `before`."""
        uses = [node for node in walk(function) if node.type == "identifier" and text_of(node) in self._names]
        if kind in WORDS and before in WORDS:
            return all(map(self._has_same_bits, uses))
        limits = {"float": _EXACT, **SIGNED, **UNSIGNED}.get(kind)
        if limits is None or not all(_within(self._ranges.variable(name), limits) for name in self._names):
            return False
        if kind == "float":
            return all(map(self._is_exact, uses))
        # An int and a signed char are both computed with as int; what is unsigned, with other signs.
        return before == "int" or (before not in _WIDE and all(map(self._has_same_bits, uses)))

    def _is_exact(self, node: Node) -> bool:
        """Whether what is computed with `node` is the same if it is a float: whole, and not too large."""
        up = node.parent
        assert up is not None  # a variable stands in a function
        if not _within(self._ranges.of(node), _EXACT):
            return False
        if _is_last(node, up):
            return True
        match up.type:
            case "parenthesized_expression" | "conditional_expression":
                return self._is_exact(up)
            case "binary_expression" | "assignment_expression":
                operator = text_of(part(up, "operator"))
                if not _within(self._ranges.of(_other(node, up)), _EXACT):
                    return False
                if operator in COMPARISONS:
                    return True
                return operator.removesuffix("=") in "+-*" and (
                    up.type == "assignment_expression" or self._is_exact(up)
                )
        return False

    def _has_same_bits(self, node: Node) -> bool:
        """Whether what is computed with `node` has the same bits if it is of the other sign. Sums, differences and
        products of 32 bits have; what an array is indexed by is not negative, since the answer stays in bounds."""
        up = node.parent
        assert up is not None  # a variable stands in a function
        natural = _within(self._ranges.of(node), _NATURAL)
        match up.type:
            case "parenthesized_expression":
                return self._has_same_bits(up)
            case "conditional_expression" if not _is_last(node, up):
                branches = (part(up, branch) for branch in ("consequence", "alternative"))
                return (natural or all(map(self._ranges.is_word, branches))) and self._has_same_bits(up)
            case "subscript_argument_list":
                return natural or (up.parent is not None and text_of(part(up.parent, "argument")) in self._arrays)
            case "init_declarator":
                return natural or self._is_word_taken(part(up, "declarator"), part(up, "value"))
            case "assignment_expression":
                return self._has_same_bits_assigned(up, natural)
            case "binary_expression":
                return self._has_same_bits_computed(node, up, natural)
            case "argument_list" if up.parent is not None and called(up.parent) in ("min", "max"):
                spans = (self._ranges.of(argument) for argument in named(up))
                return all(_within(span, _NATURAL) for span in spans) and self._has_same_bits(up.parent)
        return _is_last(node, up) and (natural or up.type != "cast_expression")

    def _has_same_bits_assigned(self, up: Node, natural: bool) -> bool:
        target, value, operator = part(up, "left"), part(up, "right"), text_of(part(up, "operator"))
        if operator == "=":
            return natural or self._is_word_taken(target, value)
        if operator in ("+=", "-=", "*="):
            return self._is_word_taken(target, value)
        return all(_within(self._ranges.of(operand), _NATURAL) for operand in (target, value))

    def _has_same_bits_computed(self, node: Node, up: Node, natural: bool) -> bool:
        operator, other = text_of(part(up, "operator")), _other(node, up)
        if operator in ("&&", "||"):
            return True
        if operator in ("+", "-", "*"):
            return (natural or self._ranges.is_word(other)) and self._has_same_bits(up)
        same = natural and _within(self._ranges.of(other), _NATURAL)
        return same and (operator in COMPARISONS or self._has_same_bits(up))

    def _is_word_taken(self, target: Node, value: Node) -> bool:
        """Whether 32 bits are assigned to 32 bits."""
        return self._ranges.is_word(target) and self._ranges.is_word(value)


def _is_last(node: Node, up: Node) -> bool:
    """Whether the type of `node`, an integer, decides nothing beyond `up`, where that is the same number."""
    if up.type == "conditional_expression":
        return node == part(up, "condition")
    if up.type == "assignment_expression":
        return text_of(part(up, "operator")) == "="
    if up.type == "binary_expression":
        return text_of(part(up, "operator")) in ("&&", "||")
    if up.type == "unary_expression":
        return text_of(up).startswith("!")
    return up.type in (
        "init_declarator", "declaration", "update_expression", "expression_statement", "condition_clause",
        "cast_expression",
    )  # fmt: skip


def _other(node: Node, up: Node) -> Node:
    """The other operand of an operation."""
    return next(child for child in (part(up, "left"), part(up, "right")) if child != node)


def _within(span: Span | None, limits: Span) -> bool:
    return span is not None and fits(span, limits)
