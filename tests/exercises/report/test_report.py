"""Reports: do they say what happened, where, and which rule was broken, and nothing else?"""

import re
from dataclasses import replace
from html import escape as html_escape
from html.parser import HTMLParser

import pytest
from findings_for_reports import FINDINGS, LOAD, SOURCE, access, compile_error, race

from autograder.cuda.core.diagnostics import Diagnostic
from autograder.cuda.core.findings import Access, Action, Dim3, Finding, Kind, UninitializedRead
from autograder.cuda.core.run import Run
from autograder.cuda.core.setting import Setting
from autograder.cuda.report import WIDTH, Report, describe, to_html, to_text
from autograder.cuda.report.chapters import reference
from autograder.cuda.report.vocabulary import case_line
from autograder.exercises import report

LONG = SOURCE + "    " + "x" * 165 + ";\n"
SETTING = Setting({"n": 1000}, (4, 1, 1), (256, 1, 1))
SAMPLE = f"""\
block_sum has no races: FAILED
case n=1000, grid=4, block=256, on the emulator

In block 0, two threads use tile[128] with no barrier between them:

    thread 128 writes   line 7   tile[tid] = i < n ? in[i] : 0.0f;
    thread   0 reads    line 9   if (tid < stride) tile[tid] += tile[tid + stride];

Thread 0 may read tile[128] before thread 128 has written it.
The same lines race on 127 more elements of tile.

Hint    Every thread must pass a __syncthreads() after writing shared memory and
        before another thread reads it.
Read    {reference("barriers")}"""


def announced(name: str, setting: Setting = SETTING, source: str = SOURCE) -> Report:
    return report.failed("x is right", setting, [FINDINGS[name]], source)


def test_the_sample_of_the_design() -> None:
    finding = FINDINGS["race: written, then read"]
    assert str(report.failed("block_sum has no races", SETTING, [finding], "")) == SAMPLE


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("race: read, then written", "Thread 128 may overwrite tile[128] before thread 0 has read it."),
        ("race: read, then written", "after reading shared memory and before another thread overwrites it"),
        ("race: two writes", "which one stays in tile[128] is left to chance"),
        ("race: two writes", "Between one barrier and the next, let only one thread write an element."),
        ("race: two writes across blocks", "In one launch, let only one thread write an element."),
        ("race: a change", "an atomic operation"),
        ("race: in two dimensions", "two threads use C[16] (row 1, column 4) with no barrier"),
        ("race: in three dimensions", "two threads use C[16] (C[1][0][4] in numpy) with no barrier"),
        ("race: the same value", "Both write the same value here"),
        ("race: in a warp", "two threads of one warp use tile[128] with nothing to order them"),
        ("race: in a warp", "Since Volta"),
        ("forbidden: memory", "takes or frees memory while the kernel runs, which is not supported here"),
        ("forbidden: memory", "A kernel's memory is what it is given"),
        ("forbidden: a header", "may include headers of CUDA, such as cooperative_groups.h"),
        ("forbidden: a file", "names a file, and an answer has no files beside it"),
        ("forbidden: unsupported", "CUDA has it, but the emulator that runs the kernel here does not."),
        ("forbidden: a space", "a no-break space, which looks like a space: delete it and type a space:"),
        ("race: across blocks", "Two blocks use out[0]"),
        ("race: across blocks", "block  7, thread 3 writes   line 9   out[0] += sum;"),
        ("race: across blocks", "Thread 0 of block 12 may read out[0] before thread 3 of block 7"),
        ("race: across blocks", "The same line races on 1 more element of out."),
        ("race: atomic after plain", "only one of them atomically"),
        ("race: atomic after plain", "An atomic operation imposes no order on plain accesses"),
        ("race: atomic across blocks", "every access to it must be atomic"),
        ("race: atomics of a block", "Two blocks update n[0], and not every update is atomic beyond its own block:"),
        ("race: atomics of a block", "block 2, thread 0 updates (atomic)"),
        ("race: atomics of a block", "orders nothing between blocks"),
        (
            "race: a copy on its way, prior",
            "reads s[63] while the copy that thread 63 of block 0 has started may still",
        ),
        ("race: a copy on its way, prior", "No __pipeline_wait_prior() for that copy comes between the two. A barrier"),
        ("race: a copy on its way, prior", "so with 63 more elements of s."),
        ("race: a copy on its way, group", "No wait(group) for that copy"),
        ("race: a copy on its way, barrier", "No wait() on its cuda::barrier for that copy"),
        ("race: a copy on its way, pipeline", "No consumer_wait() for that copy"),
        ("race: its own copy on its way", "reads s[63] while its own copy may still be on its way:"),
        ("race: a write overtakes a copy", "Which of the two values stays in s[63] is left to chance."),
        ("race: no array", "use one element of shared memory with no barrier"),
        ("bounds: past the end", "writes out[1023], but out has 1000 elements, out[0] to out[999]:"),
        ("bounds: past the end", "That is 24 elements past its end."),
        ("bounds: past the end", "Hint A grid nearly always has more threads than"),
        ("bounds: past the end", "If there is a loop, look at its last round."),
        ("bounds: in a loop", "Hint Look at the first and the last round of each loop"),
        ("bounds: dynamic", "but s has 0 elements:"),
        ("bounds: dynamic", "extern __shared__ has as many bytes as the launch asks for in shared_mem"),
        ("bounds: far away", "writes at an address that is in no array of the kernel:"),
        ("bounds: far away", "Work out by hand the index or the address"),
        ("race: two writes in two lines", "In one launch, let only one thread write an element."),
        ("bounds: before the start", "That is 1 element before its start."),
        ("bounds: before the start", "return whatever is there"),
        ("bounds: before the start", "Hint There is nothing before the first element: look at the first thread"),
        ("bounds: a wide access", "That is 12 bytes outside it."),
        ("bounds: one dimension of two", "uses index 33 in dimension 2 of a, whose indices go from 0 to 31"),
        ("bounds: one dimension of two", "That is 2 elements past its end."),
        ("bounds: one dimension of two", "A GPU would read or change other data there"),
        ("bounds: two dimensions", "writes a[16][0], but a is 16 x 32, up to a[15][31]:"),
        ("bounds: null", "writes through a null pointer"),
        ("bounds: another block's", "Thread 0 of block 1 reads s[3] of block 5, through a pointer to that block's"),
        ("bounds: another block's", "would use what is there in the shared memory of block 1"),
        ("bounds: wild", "reads at an address that is in no array of the kernel"),
        ("uninitialized: shared", "reads tile[128], which no thread has written:"),
        ("uninitialized: shared", "The same line reads 2 more elements of tile that no thread has written."),
        ("uninitialized: local", "Thread 0 of block 0 reads x[2], which it has not written:"),
        ("uninitialized: local", "This x is the thread's own: every thread has one"),
        ("uninitialized: local", "Only an array that is declared __shared__ belongs to the whole block."),
        ("uninitialized: scalar", "whatever was in that memory before"),
        ("uninitialized: variable", "Thread 0 of block 0 reads sum, which it has not written:"),
        ("uninitialized: variable", "Nothing sets it on the path that this thread takes, so it holds whatever"),
        ("uninitialized: variable", "Hint Give a variable its value where it is declared"),
        ("uninitialized: partly", "cudaMemcpy in line 9 has written the first 8 bytes of 1,024. Hint Copies and fills"),
        ("misaligned", "reads 16 bytes at once at tile[128]"),
        ("misaligned", "That address is 4 bytes past a multiple of 16."),
        ("misaligned", f"Read {reference('shared-memory')}"),
        (
            "barrier: some left",
            "In block 0, 20 of 64 threads wait at the barrier in line 9 and 44 have left the kernel:",
        ),
        ("barrier: one left", "1 has left the kernel"),
        ("barrier: two of them", "32 of 64 threads wait at the barrier in line 9 and 32 wait at the one in line 14"),
        ("barrier: two of them", "threads at different barriers wait for each other"),
        ("barrier: one in two calls", "32 of 64 threads wait at the barrier in line 3, called in line 9 and 32 wait"),
        ("barrier: one in two calls", "A compiler may put a function into each place that calls it."),
        ("barrier: in a warp", "In a warp of block 0, 1 of 32 threads waits"),
        (
            "barrier: a shuffle in a branch",
            "In block 0, 16 of 64 threads wait at the __shfl_xor_sync() in line 9 and 48 wait at the barrier",
        ),
        ("barrier: a shuffle in a branch", "Every lane that the mask of a shuffle or vote names must call that same"),
        ("barrier: two warp functions", "wait at the shfl() in line 9 and 16 wait at the any() in line 14:"),
        ("mask: a value from a lane that is unnamed", "of lane 9, which the mask 0x000000ff does not name:"),
        ("mask: a value from a lane that is left", "of lane 9, which has left the kernel:"),
        ("mask: a value from a lane that is absent", "of lane 9, which has no thread: the block ends before it:"),
        ("mask: a value from a lane that is absent", "A shuffle gets a value only from a lane that takes part"),
        ("mask: without the caller", "the mask 0x000000ff, and it leaves out lane 9"),
        ("mask: with a lane that is away", "lane 3 is named in it but does not take part"),
        ("limit: steps", "more steps than"),
        ("limit: time", "within its time limit"),
        ("limit: time", "thread 4   line 6   while (i < n) { }"),
        ("limit: output", "printed more than"),
        ("limit: on a GPU", "The launch did not end"),
        ("crash", "An integer divided by 0"),
        ("crash: missing return", "control reaches the end of a function that must return a value."),
        ("crash", "division by zero, or of the most negative number by -1."),
        ("crash: shuffle width", "the width of a shuffle is not a power of two from 1 to 32."),
        ("crash: large tile", "not supported by the emulator."),
        ("crash: function pointer", "a function pointer was called that does not point to a function of its type"),
        ("crash: virtual function", "a virtual function was called of an object that no kernel has constructed"),
        ("crash: heap bounds", "an access goes beyond what malloc or new has returned"),
        ("crash: barrier arrivals", "a cuda::barrier gets more arrivals than it still expects"),
        ("crash: copy of a local", "an asynchronous copy to or from a variable of the thread's own."),
        ("crash: on a GPU", "the GPU reported: bad"),
        ("mismatch", "out[5] is 3.0; numpy says 4.0."),
        ("mismatch", "17 of 1000 elements of out are wrong, from out[5] to out[999]."),
        ("mismatch: as before", "out[5] is 3.0, as before the launch; numpy says 4.0."),
        ("mismatch: as before", "Every element of an output must be written"),
        ("mismatch: written", "Thread 3 of block 7 wrote it last: thread 3 writes line 9 out[0] += sum;"),
        ("mismatch: written", "Is this thread the one that should write this element?"),
        ("mismatch: nan", "A nan comes from a value that was never set"),
        ("mismatch: nan", "0 times infinity"),
        ("mismatch: read first", "Line 9 reads out before anything was written to it."),
        ("mismatch: read first", "what adds to it must set it first"),
        ("mismatch: in two dimensions", "out[3][0] (out[24] in the kernel) is 3.0"),
        ("mismatch: unwritten", "out[5] still holds what it held before the launch; numpy says 4.0."),
        ("mismatch: unwritten", "A difference of up to 0.25 would have passed."),
        ("mismatch: partly unwritten", "1 of them was never written."),
        ("mismatch: all", "All 1000 elements of out are wrong."),
        ("mismatch: one of one", "That is its only element."),
        ("mismatch: one", "The other 999 elements of out are correct."),
        ("mismatch: in two dimensions", "from out[3][0] to out[9][7]"),
        ("uncoalesced", "The loads of global memory move 320 sectors in 10 requests; for what the threads access, 50"),
        ("uncoalesced: a line", "The worst is this line, with 256 sectors in 8 requests: line 9 x = in[32 * i];"),
        ("banks: a line", "The worst is this line, with 32 of them in its loads: line 9 x = tile[t][0];"),
        ("banks", "makes 41 passes over the banks of shared memory; for what the threads access, 9 would do"),
        ("banks", "Bank conflicts cost 32 of these passes"),
        ("banks: in turn", "lanes that could be served together are served one after the other"),
        ("unshared", "use it 513 times, 2 times each on average."),
        ("unshared: by every thread", "use it 3072000 times, 3000 times each on average."),
        ("global_loads", "makes 2000 loads from global memory; 1000 are enough"),
        ("limit: atomics", "makes 2000 loads from global memory, 500 of them by atomic operations; 1000 are enough"),
        ("global_stores", "makes 2000 stores to global memory; 1000 are enough"),
        ("compile: in no line", "the compiler does not finish"),
        ("compile: a log only", "ld: no such thing"),
        ("forbidden", "Line 3 holds asm, and that is machine code that the emulator does not support:"),
        (
            "forbidden: an instruction",
            'Line 3 holds the PTX instruction "mbarrier.init.shared::cta.b64 [%0], %1 and what el ...", which the '
            "emulator does not follow:",
        ),
        ("crash: an address on a GPU", "(the GPU reported an illegal address)"),
        ("crash: outside an array on a GPU", "the kernel wrote out[8], and out has 8 elements"),
        ("bounds: read only", "writes in[3], which is constant memory:"),
    ],
)
def test_what_a_report_says(name: str, says: str) -> None:
    flat = " ".join(str(announced(name)).split())
    assert " ".join(says.split()) in flat


@pytest.mark.parametrize("name", FINDINGS)
def test_no_line_is_wider_than_a_page_and_none_ends_in_blanks(name: str) -> None:
    for line in str(announced(name, source=LONG)).splitlines():
        assert len(line) <= WIDTH
        assert line == line.rstrip()


def test_a_very_long_source_line_is_cut_and_its_caret_stays_in_sight() -> None:
    lines = str(announced("compile: a long line", source=LONG.replace("y = 2;", "y" * 168 + ";"))).splitlines()
    (caret,) = [i for i, line in enumerate(lines) if line.lstrip().startswith("^")]
    assert lines[caret - 1][lines[caret].index("^")] in "y;"
    assert "..." in lines[caret - 1]


@pytest.mark.parametrize(
    ("action", "shown"), [("write", "tile[first] = "), ("read", "tile[last];"), (None, "tile[first] = ")]
)
def test_a_long_source_line_is_cut_around_the_access(action: Action | None, shown: str) -> None:
    text = f"if ({'a + ' * 30}b) tile[first] = {'c + ' * 30}tile[last];"
    place = access((3, 2, 0), 120, text, action)
    finding = UninitializedRead(accesses=(place,))
    (row,) = [line for line in str(describe(finding)).splitlines() if "line 120" in line]
    assert shown in row
    assert "..." in row
    assert WIDTH - 1 <= len(row) <= WIDTH


def test_a_line_that_fits_is_shown_whole() -> None:
    text = "x" * 57 + " = tile[i];"
    row = str(describe(UninitializedRead(accesses=(access((3, 0, 0), 7, text, "read"),))))
    assert f"line 7   {text}\n" in row


def test_warnings_stand_under_a_text_that_compiles_and_under_wrong_results() -> None:
    warnings = [Diagnostic(2, 18, "variable 'x' is uninitialized")]
    lines = str(report.warned("x", warnings, SOURCE)).splitlines()
    assert lines[0] == "x compiles. The compiler warns:"
    assert lines[2:4] == ["    line 2   int x = f(3,4)", " " * 26 + "^ variable 'x' is uninitialized"]
    wrong = str(report.failed("x matches numpy", SETTING, [FINDINGS["mismatch"]], SOURCE, warnings))
    assert "The compiler warns on line 2: variable 'x' is uninitialized." in wrong
    assert "warns" not in str(report.failed("x has no races", SETTING, [FINDINGS["race: a change"]], SOURCE, warnings))


def test_a_compilers_message_stands_under_the_students_line() -> None:
    lines = str(announced("compile")).splitlines()
    row = lines.index("    line 2   int x = f(3,4)")
    assert lines[row + 1] == "                          ^ expected ';' after expression"
    assert lines[row + 1].index("^") - lines[row].index("int") == 18 - 1 - len("    ")


@pytest.mark.parametrize(
    ("grid", "block", "says"),
    [
        ((4, 1, 1), (256, 1, 1), "Thread 5 of block 2 reads"),
        ((4, 1, 1), (16, 16, 1), "Thread (5, 0) of block 2 reads"),
        ((4, 2, 1), (8, 8, 4), "Thread (5, 0, 0) of block (2, 0) reads"),
        (None, None, "Thread 5 of block 2 reads"),
    ],
)
def test_coordinates_are_as_long_as_the_launch_needs(grid: Dim3 | None, block: Dim3 | None, says: str) -> None:
    access = Access((2, 0, 0), (5, 0, 0), 3, "x[i]", "read", "x", (7,), "shared")
    finding = UninitializedRead(accesses=(access,))
    assert says in str(report.failed("x is right", Setting({"n": 1}, grid, block), [finding], ""))


def test_the_case_line_holds_size_launch_and_backend() -> None:
    setting = Setting({"m": 16, "n": 50}, (4, 4, 1), (16, 16, 1), 2048, "NVIDIA H200")
    assert case_line(setting) == "case m=16, n=50, grid=(4, 4), block=(16, 16), shared_mem=2048, on the NVIDIA H200"
    assert case_line(Setting({"n": 1})) == "case n=1, on the emulator"


def test_other_places_with_the_same_mistake_are_counted_not_listed() -> None:
    first = race(LOAD, LOAD, "read-after-write")
    other_place = race(FINDINGS["crash"].accesses[0], LOAD, "read-after-write")
    text = str(report.failed("x is right", SETTING, [first, first, other_place], ""))
    assert "The same mistake also occurs in 1 other place." in text
    assert "other place" not in str(report.failed("x is right", SETTING, [first, first], ""))


def test_a_finding_alone_is_described_with_its_kind() -> None:
    text = describe(FINDINGS["barrier: some left"])
    assert text.startswith("BarrierDivergence\n\nIn block 0, 20 of 64 threads wait")


class TestOutcomes:
    def test_passed_is_one_line(self) -> None:
        assert report.passed("x", 3, 0, "emulator") == "x: passed in 3 cases, on the emulator."
        assert report.passed("x", 1, 0, "NVIDIA T4") == "x: passed in 1 case, on the NVIDIA T4."
        some = report.passed("x", 1, 2, "emulator")
        assert some == "x: passed in 1 of 3 cases, on the emulator; the rest did not run to the end."

    @pytest.mark.parametrize("kind", [f.kind for f in FINDINGS.values() if f.stops])
    def test_blocked_names_what_to_fix_first(self, kind: Kind) -> None:
        finding = next((f for f in FINDINGS.values() if f.kind is kind and f.accesses), None)
        if finding is None:  # of a text that does not compile
            return
        text = str(report.blocked("x has no races", SETTING, finding, "", ""))
        assert text.startswith("x has no races: BLOCKED\ncase n=1000")
        assert f"(line {finding.accesses[0].line})" in text
        assert f"line {finding.accesses[0].line} " in " ".join(text.split()).partition("Fix this first:")[2]
        again = str(report.blocked("x has no races", SETTING, finding, "", "x matches numpy"))
        assert 'Fix that first: the report on "x matches numpy" shows it.' in " ".join(again.split())

    def test_wrong_results_come_with_what_may_be_the_reason(self) -> None:
        def announced(*found: Finding) -> str:
            wrong = FINDINGS["mismatch"]
            return str(report.failed("x matches numpy", SETTING, [wrong], SOURCE, run=Run((), found)))

        race, unset = FINDINGS["race: written, then read"], FINDINGS["uninitialized: local"]
        assert "reason" not in announced() and "work out by hand" in announced()
        assert "The launch has a data race (lines 7 and 9), which may be the reason." in announced(race)
        assert "Every thread must pass a __syncthreads()" in announced(race) and "work out by hand" not in announced(
            race
        )
        assert "which it has not written:" in announced(race, unset) and "declared __shared__" in announced(race, unset)

    def test_not_compiled_points_to_the_cell_that_shows_why(self) -> None:
        text = str(report.not_compiled("x has no races", [compile_error((2, 18, "first"))]))
        assert text == (
            "x has no races: BLOCKED\n\nThe kernel does not compile yet: see the report under its %%cuda cell."
        )

    def test_a_compile_report_shows_all_messages(self) -> None:
        finding = compile_error((2, 18, "first"), (3, 5, "second"))
        text = str(report.compile_report("x", [finding], SOURCE))
        assert text.startswith("x does not compile.\n")
        assert "first" in text and "second" in text

    def test_not_written_yet(self) -> None:
        assert report.unwritten("x", "cuda", 4) == (
            "x: not written yet. Line 4 of its %%cuda cell still says YOUR CODE HERE."
        )
        assert report.unwritten("x", "values", 0) == "x: not written yet. Its %%values cell is empty."
        assert "not written yet" in str(report.not_written("x has no races", "x", "cuda", 4))


class Page(HTMLParser):
    """The tags of a page, and its text outside the style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.text += " "
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


class TestHtml:
    @pytest.mark.parametrize("name", FINDINGS)
    def test_it_says_what_the_text_says(self, name: str) -> None:
        shown = announced(name)
        page = Page(to_html(shown))
        assert page.open == []
        words = set(re.findall(r"\w+", page.text))
        assert set(re.findall(r"\w+", to_text(shown))) - words == set()

    def test_nothing_of_the_students_becomes_markup(self) -> None:
        evil = "<script>alert(1)</script>&<img src=x onerror=\"alert('1')\">"
        access = Access((0, 0, 0), (0, 0, 0), 3, evil, "read", evil, (1,), "shared")
        shown = report.failed(evil, Setting({evil: evil}, backend=evil), [UninitializedRead(accesses=(access,))], "")
        plain = report.failed("x", SETTING, [FINDINGS["uninitialized: local"]], "")
        assert set(Page(to_html(shown)).tags) <= set(Page(to_html(plain)).tags)
        messages = report.compile_report(evil, [compile_error((1, 1, evil), (99, 1, evil))], evil)
        assert not {"script", "img"} & set(Page(to_html(messages)).tags)

    def test_every_rule_of_the_style_is_scoped(self) -> None:
        style = to_html(Report("x")).partition("<style>")[2].partition("</style>")[0]
        rules = re.findall(r"^([^{\s][^{]*)\{", style, re.MULTILINE)
        assert len(rules) > 5
        assert all(rule.startswith(".autograder-report") for rule in rules)

    def test_it_asks_the_network_for_nothing(self) -> None:
        assert not re.search(r"https?:|url\(|@import|src=", to_html(announced("mismatch")))


def test_where_the_book_is_at_hand_a_report_links_to_it() -> None:
    shown = announced("race: written, then read")
    html = to_html(shown, "../{}.html".format)
    finding = '<a href="../book/appendix-findings.html#finding-race">Race</a>'
    links = f'<a href="../book/barriers.html">{{}}</a>, and about {finding}'
    assert links.format(html_escape(reference("barriers"))) in html
    assert "<a" not in to_html(shown)
    assert "<dd><a" not in to_html(replace(shown, read=""), "{}.html".format)


def test_control_characters_do_not_reach_a_terminal() -> None:
    source = "\nint\x1b[31m x\x07;\n"
    shown = announced("compile", source=source)
    access = Access((0, 0, 0), (0, 0, 0), 3, "a\x1b[2Jb", "read", "x", (1,), "shared")
    other = report.failed("x", SETTING, [UninitializedRead(accesses=(access,))], "")
    for text in (str(shown), str(other), to_html(shown), to_html(other)):
        assert "\x1b" not in text and "\x07" not in text


def test_a_hint_states_the_rule_and_never_the_students_line() -> None:
    for name in FINDINGS:
        hint = announced(name).hint
        assert "tile[" not in hint and "out[" not in hint
        assert not hint or hint.endswith((".", "?"))


def test_no_two_findings_read_the_same() -> None:
    texts = {name: str(announced(name)) for name in FINDINGS}
    assert len(set(texts.values())) == len(texts)
