"""Whole reports of checks and cells, by their outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...cuda.core.diagnostics import Diagnostic
from ...cuda.core.findings import BarrierDivergence, Finding, Kind, Mismatch, Race
from ...cuda.core.run import Run
from ...cuda.core.setting import Setting, Size
from ...cuda.report.chapters import reference
from ...cuda.report.compile_errors import in_words
from ...cuda.report.counterexamples import describe_orders, race_of_story
from ...cuda.report.kinds import explain, stops
from ...cuda.report.layout import WIDTH, Report
from ...cuda.report.parts import Part
from ...cuda.report.picture import Timeline, picture_of_barrier, picture_of_race
from ...cuda.report.rejections import describe_messages
from ...cuda.report.rule import Rule
from ...cuda.report.vocabulary import case_line, count, join, printable
from .places import cell

#: Most lines that are shown of what a launch printed.
PRINTED_LINES = 32


def passed(title: str, cases: int, stopped: int, backend: str) -> str:
    """The line for a check that passed in `cases` cases; `stopped` more did not run to their end."""
    if not stopped:
        return f"{title}: passed in {count(cases, 'case')}, on the {backend}."
    of = count(cases + stopped, "case")
    return f"{title}: passed in {cases} of {of}, on the {backend}; the rest did not run to the end."


def failed(
    title: str,
    setting: Setting,
    findings: Sequence[Finding],
    source: str,
    warnings: Sequence[Diagnostic] = (),
    run: Run | None = None,
) -> Report:
    """The report of a check that failed: the first of `findings`, and how many more there are. Wrong results
    also come with the first of the compiler's `warnings`; a race with what other orders of the threads
    showed, if `run` knows it, and their picture."""
    first = findings[0]
    sentence = explain(first, setting, source)
    if run and run.counterexample and first.kind is Kind.RACE:
        findings = [race_of_story(run.counterexample, setting, findings), *findings]
        story = explain(findings[0], setting, source)
        # The first race is the one whose rule says most.
        sentence = replace(story, rule=sentence.rule if _lines(first) == _lines(findings[0]) else story.rule)
    parts = sentence.parts
    if run and findings[0].kind is Kind.RACE and (orders := describe_orders(run, setting, findings[0])):
        parts = (*parts, orders)
    rule = sentence.rule
    if run and isinstance(findings[0], Mismatch) and not findings[0].read_first:
        also, cause = _causes(run, setting, source)
        parts, rule = (*parts, *also), cause or rule
    others = len({_lines(finding) for finding in findings}) - 1
    if others and findings[0].kind is not Kind.MISMATCH:
        parts = (*parts, f"The same mistake also occurs in {count(others, 'other place')}.")
    if warnings and findings[0].kind is Kind.MISMATCH:
        ((line, _, text),) = in_words(warnings[:1])
        parts = (*parts, f"The compiler warns on line {line}: {printable(text)}.")
    kinds = tuple(dict.fromkeys(str(finding.kind) for finding in findings))
    picture = _picture(findings[0], setting, run)
    return Report(
        f"{title}: FAILED",
        case_line(setting),
        parts,
        rule.hint,
        reference(rule.chapter, setting.exercise),
        kinds,
        picture,
    )


def _lines(finding: Finding) -> tuple[int, ...]:
    return tuple(sorted({access.line for access in finding.accesses}))


def _causes(run: Run, setting: Setting, source: str) -> tuple[tuple[Part, ...], Rule | None]:
    """What else `run` found that makes results wrong, and the rule that this breaks: a notebook may have no cell that
    asks for it."""
    unset, race = (
        next((finding for finding in run.findings if finding.kind is kind), None)
        for kind in (Kind.UNINITIALIZED_READ, Kind.RACE)
    )
    if unset:
        sentence = explain(unset, setting, source)
        return ("The launch makes another mistake, which may be the reason:", *sentence.parts), sentence.rule
    if race:
        lines = join([str(line) for line in sorted({access.line for access in race.accesses})])
        sentence = explain(race, setting, source)
        where = f"line{'s' if len({a.line for a in race.accesses}) > 1 else ''} {lines}"
        return (f"The launch has a data race ({where}), which may be the reason.",), sentence.rule
    return (), None


def _picture(finding: Finding, setting: Setting, run: Run | None) -> Timeline | None:
    if run is None or setting.grid is None or setting.block is None:
        return None
    if isinstance(finding, Race):
        return picture_of_race(run, finding, setting.grid, setting.block)
    if isinstance(finding, BarrierDivergence):
        return picture_of_barrier(run, finding, setting.grid, setting.block)
    return None


def blocked(title: str, setting: Setting, stopper: Finding, source: str, shown_in: str) -> Report:
    """The report of a check that could not judge, because `stopper` ended the launch: all about `stopper`, unless the
    report with the title `shown_in` has shown that."""
    why = f"This cannot be judged yet: {stops(stopper)}."
    kinds = (str(stopper.kind),)
    if shown_in:
        see = f'Fix that first: the report on "{shown_in}" shows it.'
        return Report(_blocked(title), case_line(setting), (f"{why}\n{see}",), kinds=kinds)
    sentence = explain(stopper, setting, source)
    hint, read = sentence.rule.hint, reference(sentence.rule.chapter, setting.exercise)
    return Report(_blocked(title), case_line(setting), (f"{why} Fix this first:", *sentence.parts), hint, read, kinds)


def no_results(title: str, setting: Setting, call: str) -> Report:
    """The report of a check on a kernel that ran to its end without any right result."""
    sentence = "This cannot be judged yet: the kernel gives none of the requested results."
    return Report(_blocked(title), case_line(setting), (f"{sentence}\nFix first what {call} reports.",))


def nothing_shared(title: str, setting: Setting) -> Report:
    """The report of a check on accesses to shared memory, if the kernel makes none."""
    return Report(
        _blocked(title),
        case_line(setting),
        ("There is nothing to judge: no thread of this launch uses shared memory, which this exercise is about.",),
    )


def nothing_together(title: str, setting: Setting) -> Report:
    """The report of a check on how threads interact, if a few threads of each block do nearly everything."""
    return Report(
        _blocked(title),
        case_line(setting),
        (
            "There is nothing to judge: in each block of this launch, one thread or a few do nearly all of the work, "
            "and this exercise is about threads that work together.",
        ),
        "Every thread of the grid runs the kernel. Its threadIdx and blockIdx say which part of the work is its own.",
        reference("threads"),
    )


def results_not_right(title: str, setting: Setting, call: str) -> Report:
    """The report of a check on how the work is done, if the results are wrong."""
    sentence = f"How the work is done counts only where the results are right.\nFix first what {call} reports."
    return Report(_blocked(title), case_line(setting), (sentence,))


def other_mistake(title: str, setting: Setting, call: str) -> Report:
    """The report of a check on a kernel without mistakes, if another check reports one of a launch."""
    sentence = f"This cannot be judged yet: the kernel makes another mistake.\nFix first what {call} reports."
    return Report(_blocked(title), case_line(setting), (sentence,))


def order_decides(title: str, setting: Setting, call: str) -> Report:
    """The report of the check for races, if atomic operations hide that nothing orders the threads."""
    return Report(
        _blocked(title),
        case_line(setting),
        (
            "There is nothing to judge: in one order of the threads the result is right, in another it is wrong. "
            f"Fix first what {call} reports.",
        ),
        "An atomic operation is one step, but it waits for no other thread. Only a barrier makes a thread wait.",
        reference("barriers"),
    )


def not_compiled(title: str, findings: Sequence[Finding]) -> Report:
    """The report of a check whose kernel does not compile, or is refused: `findings` say why under its cell."""
    sentence = f"The kernel does not compile yet: see the report under {cell('cuda')}."
    return Report(_blocked(title), "", (sentence,), kinds=(str(findings[0].kind),))


def not_written(title: str, name: str, magic: str, line: int) -> Report:
    """The report of a check whose answer is still the stub; as `unwritten`."""
    return Report(_blocked(title), "", (unwritten(name, magic, line),))


#: Why a launch of an answer did not begin.
USED_UP = "The launches before it took all the processor time that an answer may take. Do less work in each."


def not_launched(title: str, setting: Setting, problem: str) -> Report:
    """The report of a check whose kernel cannot be launched as it is; `problem` is a sentence."""
    return Report(_blocked(title), case_line(setting), (f"The kernel could not be launched: {problem}",))


def misfit(parameter: str, given: str, *, is_array: bool) -> str:
    """Why an exercise's launch does not go with a kernel's parameter: it gives a `given` ("float"; empty: something
    without a name), or an array of them."""
    there = f"for the parameter {parameter}, the exercise gives"
    if not given:
        return f"{there} something of another type: the text of the exercise says which."
    if is_array:
        return f"{there} an array of {given}: its type must be {given}*, or const {given}* if the kernel only reads it."
    return f"{there} one {given}: its type must be {given}."


def is_template(kernel: str) -> str:
    """Why an exercise's launch does not go with a kernel that is a template."""
    return f"{kernel} is a template, and the exercise launches a plain kernel: leave out template <...>."


def compile_report(name: str, findings: Sequence[Finding], source: str) -> Report:
    """What a `%%cuda` cell shows when its text does not compile."""
    parts: list[Part] = []
    hint = ""
    for finding in findings:
        sentence = explain(finding, None, source)
        parts += sentence.parts
        hint = hint or sentence.rule.hint
    kinds = tuple(dict.fromkeys(str(finding.kind) for finding in findings))
    return Report(f"{name} does not compile.", "", tuple(parts), hint, kinds=kinds)


def compiled(name: str) -> str:
    """What a `%%cuda` cell prints when its text compiles."""
    return f"{name} compiles."


def warned(name: str, warnings: Sequence[Diagnostic], source: str) -> Report:
    """What a `%%cuda` cell shows when its text compiles with warnings."""
    parts = describe_messages(warnings, source)
    unset = any("uninitialized" in text for _, _, text in in_words(warnings))
    hint = (
        "A variable holds nothing useful until it is given a value, on every path that leads to its use."
        if unset
        else ""
    )
    return Report(f"{name} compiles. The compiler warns:", "", tuple(parts), hint)


def evaluated(name: str, words: Mapping[str, object], size: Size) -> str:
    """What a `%%values` cell prints: the values of its `words`, for a case of `size`."""
    values = ", ".join(f"{word} = {value}" for word, value in words.items())
    return f"{name}: {values} for {', '.join(f'{word}={value}' for word, value in size.items())}."


def noted(name: str) -> str:
    """What a `%%values` cell prints while its exercise is not declared yet."""
    return f"{name}: kept until the cell that declares the exercise has run."


def values_report(name: str, problem: str) -> Report:
    """What a `%%values` cell shows when its lines cannot be used; `problem` is a sentence."""
    return Report(f"The values of {name} cannot be used.", "", (problem,))


def printed(setting: Setting, text: str) -> str:
    """What a launch printed, as far as anybody reads on."""
    lines = [printable(line) for line in text.rstrip("\n").split("\n")]
    shown = "\n".join(line[:WIDTH] for line in lines[:PRINTED_LINES])
    more = len(lines) - PRINTED_LINES
    rest = f"\n... and {count(more, 'more line')}: print from one thread, or from a few." if more > 0 else ""
    return f"{case_line(setting)}, prints:\n{shown}{rest}"


def unwritten(name: str, magic: str, line: int) -> str:
    """What a cell that begins `%%magic name` prints while it is still the stub, whose mark stands
    at `line` (0: there is neither a mark nor an answer)."""
    place = cell(magic)
    why = f"Line {line} of {place} still says YOUR CODE HERE" if line else f"{place[0].upper()}{place[1:]} is empty"
    return f"{name}: not written yet. {why}."


def _blocked(title: str) -> str:
    return f"{title}: BLOCKED"
