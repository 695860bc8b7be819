"""Reasons to reject a text before a compiler or a GPU sees it."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """Why no kernel may use a construct; `report.refusals` has the wording."""

    READS = "reads a file"
    HEADER = "header"
    UNNEEDED = "unneeded directive"
    ASSEMBLY = "assembly"
    INSTRUCTION = "instruction of PTX"
    ORDERS = "order"
    COMPILER = "compiler's"
    RUNTIME = "emulator's"
    UNSUPPORTED = "unsupported"
    NO_HEAP = "heap"
    NOT_CUDA = "not CUDA"
    AMBIGUOUS = "ambiguous"
    HOST = "host code"
    SECOND_SPELLING = "second spelling"
    LAUNCH = "launch"
    ANY_NAME = "any name"
    TOO_LONG = "too long"
    NO_CODE = "no code"
    KEYWORD = "keyword"
    CONSTRUCTOR = "constructor"
    ADDRESS_SPACE = "address space"
    SHARED_SIZE = "shared size"
    RUNS_AROUND = "runs around the kernel"
    RUNS_BEFORE = "runs before the kernel"
    EARLY_VALUE = "early value"
    CODED_VALUE = "first value by code"
    NO_BODY = "no body"
    SYSTEM_CALL = "system call"
    UNPROVEN = "unproven"
    DIFFERS = "differs"
