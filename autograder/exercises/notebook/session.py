"""The state of one notebook: its declarations, the latest answers, and their runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...cuda.backends import emulator, gpu
from ...cuda.backends.emulator_sweep import run_each
from ...cuda.compiler import toolchain, zig
from ...cuda.compiler.one_kernel import find_difference
from ...cuda.core.diagnostics import Diagnostic
from ...cuda.core.findings import Access, CompileError, Finding
from ...cuda.core.launch import Launch
from ...cuda.core.run import Run
from ...cuda.core.setting import Size
from ...cuda.errors import CellError, GraderFault, MachineFault, UsageError
from ...cuda.report import Report
from ...cuda.schedules import writers
from ...cuda.schedules.counterexamples import find_counterexample
from ...cuda.schedules.early_loads import early_loads
from ...cuda.schedules.loads_ahead import loads_ahead
from ..answers.answer import KernelAnswer, ValuesAnswer
from ..answers.program_answer import ProgramAnswer
from ..answers.program_runs import ProgramRuns, run_in_sandbox
from ..answers.tools import Backend, Explain, Sweep, TimeLaunches, Tools
from ..checks.checker import Checker
from ..checks.history import History
from ..checks.prediction import Prediction, PredictionChecker
from ..checks.program_checker import ProgramChecker
from ..declarations.declaration import Case, Exercise, declare
from ..declarations.program import ProgramCase, ProgramExercise, declare_program
from ..result import OnResult, print_passed


def emulate(launch: Launch) -> Run:
    """`launch` on the emulator.

    Raises:
        MachineFault: this machine cannot emulate.
    """
    if why := zig.problem():
        raise MachineFault(why)
    return emulator.run(launch)


def reorder(launch: Launch, schedule: str) -> Run:
    """`launch` on the emulator, in an order of its threads; see `backends.emulator.run`."""
    return emulator.run(launch, schedule=schedule)


#: Set where a grader counts on a GPU: if that is gone, the emulator's results must not be kept as the GPU's.
GPU_EXPECTED = "AUTOGRADER_GPU_EXPECTED"


def find_sweep() -> Sweep | None:
    """Return the function that runs many small launches on the emulator; None if this machine has no compiler."""
    return None if zig.problem() else run_each


def find_gpu() -> Backend | None:
    """Return the function that runs a launch on this machine's GPU; None if no GPU can be used.

    Raises:
        MachineFault: there was one when grading began.
    """
    return gpu.run if _has_gpu() else None


def find_timer() -> TimeLaunches | None:
    """Return the function that times launches on this machine's GPU; None if there is none.

    Raises: as `find_gpu`.
    """
    return gpu.time if _has_gpu() else None


def _has_gpu() -> bool:
    why = gpu.problem()
    if why and os.environ.get(GPU_EXPECTED):
        walls = "If its driver does not bear the sandbox around its worker, AUTOGRADER_TRUST_KERNELS=1 leaves that out."
        raise MachineFault(f"The GPU that was here when grading began is gone: {why} {walls}")
    return not why


def find_compile_errors(source: str, kernel: str) -> Sequence[Finding]:
    """Return the compiler's errors in `source`, of which `kernel` is launched; none if this machine has no compiler."""
    return [] if zig.problem() else toolchain.find_compile_errors(source, kernel)


def find_warnings(source: str, kernel: str) -> Sequence[Diagnostic]:
    """Return the compiler's warnings about `source`, of which `kernel` is launched; none if this machine has no
    compiler."""
    return () if zig.problem() else toolchain.find_warnings(source, kernel)


def find_writer(launch: Launch, run: Run, output: str, flat: int) -> Access | None:
    """Return what wrote an element of `output`: see `schedules.writers`; None if this machine has no compiler."""
    return None if zig.problem() else writers.find_writer(launch, run, output, flat)


class Session:
    """The exercises and answers of one notebook, by name; a newer one replaces an older one.

    Args:
        emulate: runs a launch on the emulator.
        find_gpu: returns what runs a launch on the GPU, or None if there is none. Called when a check needs it.
        find_errors: returns the errors that keep a text, and the kernel of a name, from compiling.
        show: shows a report about a cell that is not a check.
        on_result: takes the result of each check. (`load_ipython_extension` sets both.)
        find_timer: returns what times launches on the GPU; None if there is none.
    """

    def __init__(
        self,
        emulate: Backend = emulate,
        find_gpu: Callable[[], Backend | None] = find_gpu,
        find_errors: Callable[[str, str], Sequence[Finding]] = find_compile_errors,
        show: Callable[[Report], None] = lambda shown: None,
        on_result: OnResult = print_passed,
        find_timer: Callable[[], TimeLaunches | None] = find_timer,
    ) -> None:
        self.explain: Explain = find_counterexample
        self._find_timer = find_timer
        self._emulate, self._find_gpu, self._find_errors = emulate, find_gpu, find_errors
        self.show, self.on_result = show, on_result
        self._exercises: dict[str, Exercise | Prediction | ProgramExercise] = {}
        self._answers: dict[str, KernelAnswer] = {}
        self._values: dict[str, ValuesAnswer] = {}
        self._histories: dict[str, History] = {}
        self._programs: dict[str, ProgramAnswer] = {}
        self._runs: dict[str, ProgramRuns] = {}

    def exercise(
        self,
        name: str,
        case: Callable[..., Case],
        sizes: Sequence[Size],
        *,
        values: Sequence[str] = (),
        kernel: str | None = None,
        domain: Mapping[str, Any] = MappingProxyType({}),
        narrow: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
        spare: Mapping[str, str] = MappingProxyType({}),
        same_rounds: bool = False,
    ) -> None:
        """Declare an exercise.

        Args:
            name: the word on its `%%cuda` line.
            case: `case(draw, **size)` returns the `Case` of a size; `draw` draws the values of its arrays, always the
                same for the same name and size. With `values`, `case(draw, launch, **size)`.
            sizes: sizes to begin the visible tests with, such as `[dict(n=1000), dict(n=1)]`; more are drawn, until
                sizes of all kinds that the domain has are there.
            values: the words ("grid", "block", "shared_mem") that the student's `%%values` cell
                gives; `launch.grid` and so on hold them.
            kernel: the kernel to call; `name` by default. May be an instance: "blur<128>".
            domain: what each word of a size may be: `dict(n=whole(1, 5000), block=power_of_two(1, 1024))`. If it is
                left out, `sizes` are all.
            narrow: for a check that judges only a part of the domain, by its method, what the words may be there:
                `dict(is_coalesced=dict(n=whole(32, 1024, by=32)))`.
            spare: for a line with a barrier that the notebook gives and that no case needs, why it is there; by a part
                of the line's text. `autograder verify` refuses any other such barrier in the solution.
            same_rounds: whether threads that reach a barrier in different rounds of a loop miss each other.

        Raises:
            GraderFault: one sentence on what is wrong with the declaration.
        """
        if unknown := [check for check in narrow if check.startswith("_") or not hasattr(Checker, check)]:
            raise GraderFault(f'exercise("{name}", ...): narrow: there is no check {unknown[0]}.')
        self.declare(declare(name, case, sizes, values, kernel, domain, narrow, spare, same_rounds))

    def prediction(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Declare an exercise whose only answer is a `%%values` cell about a given kernel; the arguments are those of
        `Prediction`.

        Raises:
            GraderFault: one sentence on what is wrong with the declaration.
        """
        self.declare(Prediction(name, *args, **kwargs))

    def program(
        self,
        name: str,
        case: Callable[..., ProgramCase],
        sizes: Sequence[Size],
        *,
        domain: Mapping[str, Any] = MappingProxyType({}),
        narrow: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    ) -> None:
        """Declare an exercise whose answer is a whole program, in a `%%cuda` cell.

        Args:
            name: the word on its `%%cuda` line.
            case: `case(**size)` returns the `ProgramCase` of a size.
            sizes, domain, narrow: as those of `exercise`.

        Raises:
            GraderFault: one sentence on what is wrong with the declaration.
        """
        if unknown := [check for check in narrow if check.startswith("_") or not hasattr(ProgramChecker, check)]:
            raise GraderFault(f'program("{name}", ...): narrow: there is no check {unknown[0]}.')
        self.declare(declare_program(name, case, sizes, domain, narrow))

    def declare(self, exercise: Exercise | Prediction | ProgramExercise) -> None:
        """Take the place of what was declared under this name before."""
        self._exercises[exercise.name] = exercise
        self._forget(exercise.name)

    def hidden_cases(self, name: str, seed: int) -> None:
        """Declare that grading tries more cases after the visible ones, in a part of the notebook that a release leaves
        out.

        Args:
            name: of an exercise, or of a prediction, that was declared before.
            seed: draws them from its domain; one for all exercises of a release.

        Raises:
            GraderFault: there is no such exercise, it has no domain, or the seed is that of the visible cases.
        """
        if name not in self._exercises:
            raise GraderFault(f'hidden_cases("{name}", ...): declare exercise("{name}", ...) before.')
        if seed < 1:
            raise GraderFault(f'hidden_cases("{name}", seed={seed}): the seed must be 1 or more.')
        self._exercises[name] = self._exercises[name].hide(seed)

    def answer(self, name: str, text: str) -> KernelAnswer:
        """Take the text of the cell that begins with `%%cuda name`, below that line, and compile it."""
        source = "\n" + text
        answer = KernelAnswer(source)
        if answer.stub_line is None:
            exercise = self._exercises.get(name)
            answer = self._compiled(source, exercise.kernel if isinstance(exercise, Exercise) else name)
        self._answers[name] = answer
        self._forget(name)
        return answer

    def _compiled(self, source: str, kernel: str) -> KernelAnswer:
        """Return the answer with what the compiler says of it, or why the text cannot be compiled: its checks must find
        an answer, or they would fail by our fault."""
        try:
            difference = find_difference(source)
            errors = tuple(self._find_errors(source, kernel)) or ((difference,) if difference else ())
            return KernelAnswer(source, errors, () if errors else tuple(find_warnings(source, kernel)))
        except UsageError as error:
            return KernelAnswer(source, (CompileError(messages=(Diagnostic(1, 1, str(error)),)),))

    def answer_program(self, name: str, text: str) -> ProgramAnswer:
        """Take the text of the cell that begins with `%%cuda name`, below that line, as a whole program."""
        self._programs[name] = answer = ProgramAnswer(name, "\n" + text)
        self._runs.pop(name, None)
        return answer

    def answer_values(self, name: str, text: str) -> ValuesAnswer:
        """Take the text of the cell that begins with `%%values name`, below that line."""
        self._values[name] = answer = ValuesAnswer("\n" + text)
        self._forget(name)
        return answer

    def exercise_named(self, name: str) -> Exercise | Prediction | ProgramExercise | None:
        """Return the exercise that was declared under `name`; None if there is none yet."""
        return self._exercises.get(name)

    def check(self, name: str) -> Checker | PredictionChecker | ProgramChecker:
        """Return the checks of exercise `name`.

        Raises:
            CellError: a cell that must run first has not.
        """
        exercise = self._exercises.get(name)
        if exercise is None:
            known = f' (this notebook has "{next(iter(self._exercises))}")' if self._exercises else ""
            raise CellError(f'Run the cell that holds exercise("{name}", ...) first{known}.')
        if isinstance(exercise, ProgramExercise):
            return self._check_program(exercise)
        given = self._values.get(name) if exercise.values else None
        if isinstance(exercise, Prediction):
            if given is None:
                raise CellError(f"Run the cell that begins %%values {name} first.")
            return PredictionChecker(exercise, given, self._emulate, self.on_result)
        if name not in self._answers:
            raise CellError(f"Run the cell that begins %%cuda {name} first.")
        if exercise.values and given is None:
            raise CellError(f"Run the cell that begins %%values {name} first.")
        return Checker(
            exercise,
            self._answers[name],
            Tools(
                self._emulate,
                self._gpu_for(self._answers[name].source),
                self._find_timer(),
                self.explain,
                find_writer,
                print,
                reorder,
                early_loads,
                loads_ahead,
                find_sweep(),
                shrink=True,
                on_result=self.on_result,
            ),
            given,
            self._histories[name],
        )

    def _check_program(self, exercise: ProgramExercise) -> ProgramChecker:
        name = exercise.name
        if name not in self._programs:
            raise CellError(f"Run the cell that begins %%cuda {name} first.")
        if why := zig.problem():
            raise MachineFault(why)
        answer = self._programs[name]
        runs = self._runs.setdefault(name, ProgramRuns(exercise, answer, run_in_sandbox))
        return ProgramChecker(exercise, answer, runs, self.on_result)

    def _gpu_for(self, source: str) -> Backend | None:
        """Return what runs a launch of CUDA C++ text `source` on the GPU; None if there is none, or it is too old for
        it."""
        found = self._find_gpu()
        return None if found and gpu.is_too_old_for(source) else found

    def _forget(self, name: str) -> None:
        """Forget what was seen of an older answer or declaration: it says nothing about the new one."""
        self._histories[name] = History()
        self._runs.pop(name, None)


#: The session of this process: a notebook has one process of its own.
default: Session = Session()
