"""Says why a name is that of no kernel of a text, by clang's syntax tree of the text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core.diagnostics import Diagnostic, Problem
from ..errors import UsageError
from .syntax import Node, line_of

_TEMPLATE_PARAMETERS = ("TemplateTypeParmDecl", "NonTypeTemplateParmDecl", "TemplateTemplateParmDecl")


class TemplateError(UsageError):
    """The kernel `kernel` is a template, and its name says no instance. The message is for who names it."""

    def __init__(self, message: str, kernel: str) -> None:
        super().__init__(message)
        self.kernel = kernel


@dataclass(frozen=True)
class _Function:
    name: str  # with its namespaces
    types: str  # of its parameters, "float*, int"
    template: str  # its parameters, "class T, int N = 4"; empty if it is none
    example: str  # arguments for these, "float, 4"
    is_kernel: bool
    is_defined: bool
    line: int


def name_error(tree: Node, content: bytes, name: str) -> UsageError | Diagnostic:
    """Why `name` is that of no kernel, or of several, of a text that compiles; a diagnostic if the text has that kernel
    and hides it.

    Args:
        tree: the text's syntax tree.
        content: the text.
        name: as a launch gives it, "blur<128>" or "blur(float*)".
    """
    functions = list(_functions(tree, content, ""))
    qualified = re.split(r"[<(]", re.sub(r"\s", "", name), maxsplit=1)[0]
    named = sorted((f for f in functions if f.name == qualified and f.is_kernel), key=lambda f: not f.is_defined)
    if not named:
        return _unknown(functions, qualified)
    if not named[0].is_defined:
        return UsageError(f"The kernel {qualified} is declared but has no body: write it between {{ and }}.")
    return _misused(named, name)


def _misused(kernels: Sequence[_Function], name: str) -> UsageError | Diagnostic:
    """Why the name chooses none of the kernels that have it, apart from template arguments and types."""
    kernel = kernels[0]
    if len({(each.types, each.template) for each in kernels}) > 1 and not all(each.template for each in kernels):
        return UsageError(
            f"The text has several kernels called {kernel.name}: keep one of them, or name its types, too, such as "
            f"{kernel.name}({kernel.types})."
        )
    if not kernel.template:
        if "<" in name:
            return UsageError(f"{kernel.name} is not a template: name it without <...>.")
        if "(" not in name:
            return Diagnostic(kernel.line, 1, problem=Problem.HIDDEN_KERNEL)
        return UsageError(f"{name} has other parameters in the text: name it {kernel.name}({kernel.types}).")
    if "<" not in name:
        instance = f"{kernel.name}<{kernel.example}>"
        return TemplateError(f"{kernel.name} is a template: name an instance, such as {instance}.", kernel.name)
    return UsageError(
        f"{kernel.name} has no instance {name}: it is a template <{kernel.template}>, so name one that fits that."
    )


def _unknown(functions: Sequence[_Function], qualified: str) -> UsageError:
    """Why the text has no kernel of that name."""
    function = qualified.rpartition("::")[2]
    kernels = [f for f in functions if f.is_kernel]
    for kernel in kernels:
        if kernel.name.rpartition("::")[2] == function:
            return UsageError(f"The kernel {qualified} is in the text as {kernel.name}: use that name.")
    if any(f.name == qualified for f in functions):
        return UsageError(f"{function} is not a kernel: declare it as __global__ void {function}(...).")
    there = sorted({kernel.name for kernel in kernels})
    if not there:
        return UsageError(f"The text has no __global__ function: write __global__ void {function}(...).")
    close = difflib.get_close_matches(qualified, there, 1)
    question = f"did you mean {close[0]}?" if close else "use one of its names."
    has = ", ".join(there[:8]) + ", ..." * (len(there) > 8)
    return UsageError(f"There is no kernel {qualified} in the source, which has {has}: {question}")


def _functions(node: Node, content: bytes, scope: str) -> Iterator[_Function]:
    """The functions that a declaration has in it."""
    for inner in node.get("inner", ()):
        kind, name = inner.get("kind"), inner.get("name", "")
        if kind in ("NamespaceDecl", "CXXRecordDecl", "LinkageSpecDecl"):
            named = name and not inner.get("isInline")
            yield from _functions(inner, content, f"{scope}{name}::" if named else scope)
        elif kind in ("FunctionDecl", "CXXMethodDecl") and not _of_kind(inner, "TemplateArgument"):
            yield _function(inner, scope + name, "", "")
        elif kind == "FunctionTemplateDecl":
            parameters = [parameter for parameter in inner["inner"] if parameter.get("kind") in _TEMPLATE_PARAMETERS]
            template = ", ".join(_text(parameter, content) for parameter in parameters)
            example = ", ".join(_example(parameter, content) for parameter in parameters)
            for function in _of_kind(inner, "FunctionDecl")[:1]:  # (the others are its instances)
                yield _function(function, scope + name, template or "...", example)


def _function(node: Node, name: str, template: str, example: str) -> _Function:
    types = node["type"]["qualType"].partition("(")[2].removesuffix(")").replace(" *", "*")
    is_kernel, is_defined = (bool(_of_kind(node, kind)) for kind in ("CUDAGlobalAttr", "CompoundStmt"))
    return _Function(name, types, template, example, is_kernel, is_defined, line_of(node))


def _example(parameter: Node, content: bytes) -> str:
    """A template argument: the default as the text has it, or one of the parameter's kind."""
    for default in _of_kind(parameter, "TemplateArgument"):
        if "range" in default:
            return _text(default, content)
        if "type" in default:  # written where the template was declared before
            return str(default["type"]["qualType"])
    if parameter["kind"] == "NonTypeTemplateParmDecl":
        return "true" if parameter["type"]["qualType"] == "bool" else "128"
    return "float"


def _text(node: Node, content: bytes) -> str:
    """What the text has for a node."""
    begin, end = (node["range"][side] for side in ("begin", "end"))
    begin, end = begin.get("expansionLoc", begin), end.get("expansionLoc", end)
    return content[begin.get("offset", 0) : end.get("offset", 0) + end.get("tokLen", 0)].decode(errors="replace")


def _of_kind(node: Node, kind: str) -> list[Node]:
    return [inner for inner in node.get("inner", ()) if inner.get("kind") == kind]
