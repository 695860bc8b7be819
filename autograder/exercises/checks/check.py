"""One check, as data: what it asserts about an answer, how it looks for violations, and what it needs to judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...cuda.core.findings import Finding
from ...cuda.report import Report
from ..answers.trial import Trial


@dataclass(frozen=True)
class Check:
    """A check by which `Judge` judges an answer.

    A check that is not `on_gpu` needs one case that ran to its end with at least one right result. A case that another
    mistake stopped costs that mistake's points, and only those.

    Args:
        method: the name of its method of `Checker`.
        claim: what it asserts about the kernel, as in the title of its report.
        find: returns what contradicts the claim in one case; nothing, where no single case is judged.
        judge_all: judges all cases together, given the title; returns None if there is nothing to report.
        on_gpu: whether it judges on the GPU if there is one, and in every case.
        orders: what it judges in other orders of the threads, too, where these could matter: results; counts, which
            these must not raise; or what goes wrong in the launch.
        in_small_sizes: whether it judges small sizes of the domain, too (`small_sizes.py`), if it passes in all others.
        needs_no_finding: the claim means nothing for a kernel of whose launches another check tells a mistake,
        needs_right_results: nor for one whose results are wrong in any case,
        needs_shared_memory: nor for one that never uses shared memory,
        needs_several_threads: nor for one in which a single thread of a block does everything,
        needs_one_result: nor for one whose result depends on the order in which its threads come to atomic operations.
        remark: returns what else to say of an answer that passes in all visible cases, which it gets; "" for nothing.
        words: the arguments of the method.
    """

    method: str
    claim: str
    find: Callable[[Trial], Sequence[Finding]] = lambda trial: ()
    judge_all: Callable[[str, Sequence[Trial]], Report | None] | None = None
    on_gpu: bool = False
    orders: Literal["results", "counts", "findings"] | None = None
    in_small_sizes: bool = False
    needs_no_finding: bool = False
    needs_right_results: bool = False
    needs_shared_memory: bool = False
    needs_several_threads: bool = False
    needs_one_result: bool = False
    remark: Callable[[Sequence[Trial]], str] | None = None
    words: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The check's name in results and mutants: "has_no_races", "uses_shared_memory"."""
        return "_".join([self.method, *self.words])
