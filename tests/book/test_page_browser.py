"""Can a reader answer an exercise in its page, in a real browser, and hand in what the page saves?"""

from __future__ import annotations

import http.server
import json
import string
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import inputs
import nbformat
import numpy as np
import pytest
from accessibility import find_violations
from book_pages import ROOT
from browsing import CHROMIUM, Quiet, watch
from course_book.whole_programs import has_program
from course_page.compiler_parts import without_others
from course_page.in_page.cases import pack_launch
from course_page.in_page.judging import kind_of
from playwright.sync_api import Browser, Locator, Page

from autograder.exercises.notebook.run_notebook import answers_of, run
from autograder.exercises.result import Outcome

pytestmark = [inputs.book, pytest.mark.rare, pytest.mark.skipif(CHROMIUM is None, reason="no chromium")]
#: The longest that a check may take on a busy machine, the first one's download included, in milliseconds.
PATIENCE = 240_000
EXERCISES = sorted(
    path.relative_to(ROOT / "exercises").with_suffix("")
    for path in ROOT.glob("exercises/*/*.ipynb")
    if not has_program(path)
)


@pytest.fixture
def page(browser: Browser, site: str, html: Path) -> Iterator[Page]:
    if not (html / "_static/page/worker.js").exists():
        pytest.skip("the book was built without npm's packages")
    page = browser.new_context(accept_downloads=True).new_page()
    yield page
    page.context.close()


def solution_of(name: object) -> dict[str, str]:
    cells = json.loads((ROOT / f"solutions/{name}.ipynb").read_text())["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if kind_of(cell) == "answer"}


def solution_notebook(name: object) -> Any:
    return nbformat.read(ROOT / f"solutions/{name}.ipynb", as_version=4)


def download(page: Page, folder: Path) -> Any:
    """The notebook that the page hands in."""
    with page.expect_download() as download:
        page.get_by_text("Download the notebook", exact=True).click()  # there is one: with the answers
    download.value.save_as(folder / "saved.ipynb")
    return nbformat.read(folder / "saved.ipynb", as_version=4)


def write(page: Page, text: str, number: int = 0) -> None:
    """Replace an answer as one does who pastes another."""
    place = page.locator(".answer-editor").nth(number)
    place.click()
    place.locator(".cm-content:focus").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def result(page: Page, number: int = 0) -> str:
    """What the page says of the points, when it is done."""
    status = page.locator(".answer-status").nth(number)
    page.wait_for_function(
        "one => / points\\./.test(one.textContent) || /is kept\\./.test(one.textContent)",
        arg=status.element_handle(),
        timeout=PATIENCE,
    )
    return status.inner_text()


def editor_text(page: Page) -> str:
    lines = page.locator(".answer-editor .cm-line")
    lines.first.wait_for()  # the script of the editor has been loaded
    return "\n".join(line.rstrip("\n") for line in lines.all_inner_texts())


def open_editor(page: Page, site: str, name: str = "threads/saxpy") -> None:
    page.goto(f"{site}/exercises/{name}.html")
    page.get_by_role("button", name="Write").first.click()
    page.locator(".cm-content:focus").wait_for()


def report(page: Page, title: str) -> Locator:
    return page.locator(".answer-result", has_text=title)


def test_an_exercise_is_answered_mended_kept_and_handed_in(page: Page, site: str, html: Path, tmp_path: Path) -> None:
    name = "threads/saxpy"
    right = solution_of(name)["answer"]
    wrong = watch(page, site)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{site}/exercises/{name}.html")
    page.locator(".answer-panel").wait_for()
    # Nothing heavy before the reader begins: of its own files, a style and a few KB of script; besides, the font.
    mine = {url.partition("?")[0].removeprefix(site) for url in requested if "/_static/page/" in url}
    mine = {path for path in mine if not path.endswith(".woff2")}
    assert sum((html / path[1:]).stat().st_size for path in mine) < 40_000
    for words in ("Run the cell after each change", "Each cell below is one check", 'check("saxpy").stays_in_bounds'):
        assert page.get_by_text(words).count() and not page.get_by_text(words).first.is_visible(), words

    assert "if (i < n)" in right
    write(page, right.replace("if (i < n)", "if (i <= n)"))
    assert editor_text(page).startswith("%%cuda saxpy\n")  # which stays, whatever is chosen
    page.keyboard.press("Control+Enter")
    assert "of 10 points" in result(page) and not result(page).startswith("10 of 10")
    failed = report(page, "saxpy stays in bounds: FAILED")
    assert "0 of 2" in failed.inner_text() and "Hint" in failed.inner_text()
    links = [link.evaluate("link => link.href") for link in failed.get_by_role("link").all()]
    assert links[-1] == f"{site}/book/appendix-findings.html#finding-out-of-bounds"
    assert all((html / link.removeprefix(f"{site}/").partition("#")[0]).exists() for link in links)

    write(page, right.replace("if (i < n)", "if (i < m)"))
    assert result(page).startswith("For an earlier version: ")
    assert page.locator(".answer-results.of-earlier-text").count()
    page.get_by_text("Undo", exact=True).click()
    assert "earlier" not in result(page) and not page.locator(".of-earlier-text").count()
    page.get_by_text("Redo", exact=True).click()
    page.locator(".cm-lintRange-error", has_text="m").wait_for()
    write(page, right)
    page.locator(".cm-lintRange-error").wait_for(state="detached")
    page.locator(".answer-check").click()
    page.locator(".answer-status", has_text="Checking").wait_for()
    assert result(page).startswith("10 of 10 points.")
    assert "Grading tries more" in result(page)
    assert not find_violations(page)

    write(page, right.replace("if (i < n)", "for (unsigned k = 1; k; k |= 1) {}\n    if (i < n)"))
    page.locator(".answer-check").click()
    page.locator(".answer-status", has_text="Checking").wait_for()
    assert result(page).startswith("0 of 10 points.")
    assert "for (unsigned k = 1; k; k |= 1) {}" in report(page, "did not end").first.inner_text()

    # All of this took the part of the compiler that is loaded first.
    assert not [url for url in requested if url.endswith("llvm.whole.wasm")], "run book/data/measure_compiler.py"

    write(page, right)
    page.reload()
    page.locator(".answer-panel").wait_for()
    assert editor_text(page) == right.rstrip("\n")
    notebook = download(page, tmp_path)
    assert answers_of(notebook) == {"%%cuda saxpy": right.partition("\n")[2]}
    graded = run(solution_notebook(name), answers_of(notebook))
    assert sum(item.points for item in graded if item.outcome is Outcome.PASSED) >= 10

    page.get_by_text("Reset", exact=True).click()
    assert "YOUR CODE HERE" in editor_text(page)
    page.get_by_text("Undo", exact=True).click()
    assert editor_text(page) == right.rstrip("\n")
    page.get_by_text("Reset", exact=True).click()  # into the editor, where typing goes on below
    page.locator("input[type=file]").set_input_files(tmp_path / "saved.ipynb")
    page.locator(".answer-opened", has_text="The answers of saved.ipynb are here now.").wait_for()
    assert editor_text(page) == right.rstrip("\n")
    page.keyboard.type(" ")
    assert not page.locator(".answer-opened").inner_text()
    assert not wrong


def test_keys_write_what_they_say(page: Page, site: str) -> None:
    """Real keys: what the theme does with some of them, such as "/" for its search, must not reach an editor."""
    open_editor(page, site)
    letters = "".join(sorted(set(string.printable) - set(string.whitespace))) + " /"
    write(page, "")
    page.keyboard.type(letters)
    assert page.locator(".cm-content").evaluate("one => one.contains(document.activeElement)")
    assert editor_text(page) == f"%%cuda saxpy\n{letters}"


def test_the_first_line_stays_and_nothing_is_written_there(page: Page, site: str) -> None:
    open_editor(page, site)
    stub = editor_text(page)
    head, _, below = stub.partition("\n")
    for key in ("Control+Home", "Backspace", "Control+Backspace", "ArrowUp", "Backspace"):
        page.keyboard.press(key)
        assert editor_text(page) == stub
    write(page, below)
    for first in ("abc", f"{head}\nabc", "%%cuda another\nabc"):  # over all of it, as one pastes an answer or its cell
        write(page, first)
        page.keyboard.type("d")
        assert editor_text(page) == f"{head}\nabcd"
    for keys in ("Control+a Delete", "Control+a Control+x"):
        for key in keys.split():
            page.keyboard.press(key)
        assert editor_text(page).rstrip() == head
        page.keyboard.type("abc")
        assert editor_text(page) == f"{head}\nabc"
    page.keyboard.press("Control+a")  # commands for several lines
    for key, comes in (("Alt+ArrowDown", "abc"), ("Control+]", "    abc")):
        page.keyboard.press(key)
        assert editor_text(page) == f"{head}\n{comes}"
    page.keyboard.press("Control+End")
    page.keyboard.press("Alt+ArrowUp")
    assert editor_text(page) == f"{head}\n    abc"
    page.locator(".cm-line").first.click()
    page.keyboard.type("x")
    assert editor_text(page) == f"{head}\nx    abc"
    page.locator(".cm-line").first.dblclick()
    page.keyboard.press("Enter")
    assert editor_text(page) == f"{head}\n\nx    abc"
    page.get_by_text("Reset", exact=True).click()
    page.keyboard.type("y")
    assert editor_text(page) == f"{stub}y"


#: Instead of what loads a compiler: `requested` has the questions, `answer()` ends the last.
NO_COMPILER = """
    window.asked = [];
    window.Worker = class {
        constructor() { window.answer = () => this.onmessage({ data: { type: "done" } }); }
        postMessage(question) { window.asked.push(question.name); }
    };
"""


def test_checks_are_begun_by_keys_and_wait_for_each_other(page: Page, site: str) -> None:
    page.add_init_script(NO_COMPILER)
    open_editor(page, site, "measuring/predict_the_bound")
    page.keyboard.insert_text("#")  # an unchanged stub starts no check
    page.keyboard.press("Tab")  # not to Undo, which a space bar would press
    page.keyboard.press("Space")
    check, status = page.locator(".answer-check"), page.locator(".answer-status")
    for _ in range(2):
        page.wait_for_function("window.asked.length")
        assert check.nth(0).evaluate("one => one === document.activeElement && one.ariaDisabled === 'true'")
        assert status.nth(0).inner_text() == "Checking ..."
        page.keyboard.press("Space")  # which it ignores now
    page.get_by_role("button", name="Write").first.click()  # the next answer
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.insert_text("#")
    page.keyboard.press("Control+Enter")
    assert status.nth(1).inner_text() == "Checking ..."
    assert page.evaluate("window.asked") == ["scale_and_add"]
    page.evaluate("window.answer()")
    page.wait_for_function("window.asked.length === 2")
    assert page.evaluate("window.asked") == ["scale_and_add", "polynomial"]
    assert "points" in result(page, 0)
    page.evaluate("window.answer()")
    assert "points" in result(page, 1)
    assert check.nth(0).get_attribute("aria-disabled") == check.nth(1).get_attribute("aria-disabled") == "false"


@pytest.mark.smoke
def test_results_are_printed_and_nothing_lies_on_the_buttons(page: Page, site: str) -> None:
    page.add_init_script(NO_COMPILER)
    open_editor(page, site)
    page.keyboard.insert_text("x")  # an unchanged stub starts no check
    page.keyboard.press("Control+Enter")
    page.wait_for_function("window.asked.length")
    page.evaluate("window.answer()")
    assert "points" in result(page)
    page.emulate_media(media="print")
    assert page.locator(".answer-status").is_visible() and page.locator(".cm-content").is_visible()
    for word in ("Undo", "Check", "Download the notebook"):
        assert not page.get_by_role("button", name=word, exact=True).is_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 700, "height": 600})
    floating = "getComputedStyle(document.getElementById('pst-back-to-top')).display"
    for top in (900, 600):  # the theme shows the button to who scrolls up
        page.evaluate(
            "top => new Promise(done => {"
            "addEventListener('scroll', () => setTimeout(done), { once: true });"
            "scrollTo({ top, behavior: 'instant' }); })",
            top,
        )
    assert page.evaluate(floating) == "none"


def test_an_answer_in_words_is_written_kept_and_handed_in(page: Page, site: str, tmp_path: Path) -> None:
    name = "clusters/cluster_sum"

    def reported() -> str:
        (cell,) = (cell for cell in download(page, tmp_path).cells if cell.id == "cluster_sum-explanation")
        return str(cell.source)

    page.goto(f"{site}/exercises/{name}.html")
    write_it = page.get_by_role("button", name="Write your answer in your own words")
    write_it.wait_for()
    assert reported() == "YOUR ANSWER HERE"
    assert page.get_by_text("A person grades this answer, not a check. It is worth up to 2 points.").is_visible()
    write_it.click()
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.type("A block may end / too early.\n%%cuda cluster_sum")
    assert reported() == "A block may end / too early.\n%%cuda cluster_sum"
    page.reload()
    assert "too early" in editor_text(page) and reported().startswith("A block may end")
    page.get_by_text("Reset", exact=True).click()
    assert reported() == "YOUR ANSWER HERE"
    page.locator("input[type=file]").set_input_files(ROOT / f"solutions/{name}.ipynb")
    page.locator(".answer-opened", has_text="are here now").wait_for()
    page.locator(".cm-line", has_text="cluster.sync").first.wait_for()
    assert reported() == next(
        item.source for item in solution_notebook(name).cells if item.id == "cluster_sum-explanation"
    )
    assert not find_violations(page)


#: A browser that keeps nothing for any site; and one with room for 100 letters.
REFUSES = """
    const refuse = () => { throw new DOMException("Access is denied for this document.", "SecurityError"); };
    Object.defineProperty(window, "localStorage", { get: refuse });
    for (const name of ["has", "open", "delete"]) CacheStorage.prototype[name] = async () => refuse();
    for (const name of ["register", "getRegistration"]) ServiceWorkerContainer.prototype[name] = async () => refuse();
"""
FULL = """
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, text) {
        if (text.length > 100) throw new DOMException("Setting the value exceeded the quota.", "QuotaExceededError");
        setItem.call(this, key, text);
    };
"""


@pytest.mark.parametrize("browser_that", [REFUSES, FULL], ids=["refuses", "is full"])
def test_what_the_page_shows_is_handed_in_even_where_nothing_can_be_kept(
    browser_that: str, page: Page, site: str, tmp_path: Path
) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.stack or ""))
    page.add_init_script(browser_that)
    open_editor(page, site)
    top = page.locator(".how-to-work p").first
    reported = "This browser cannot keep what you write: download the notebook before you leave the page."
    beside = page.locator(".answer-unkept")
    stored_at_first = browser_that == FULL
    assert beside.is_visible() != stored_at_first and (reported in top.inner_text()) != stored_at_first
    write(page, "// short")  # as long as there is room for it
    assert beside.is_visible() != stored_at_first
    write(page, solution_of("threads/saxpy")["answer"])
    assert beside.inner_text() == reported and reported in top.inner_text() and "is kept" not in top.inner_text()
    assert answers_of(download(page, tmp_path)) == answers_of(solution_notebook("threads/saxpy"))
    # And it is what a check gets.
    page.evaluate("""() => {
        window.asked = [];
        Worker.prototype.postMessage = function (question) { window.asked.push(question); };
    }""")
    page.locator(".answer-check").click()
    page.wait_for_function("window.asked.length")
    assert page.evaluate("window.asked[0].answers") == solution_of("threads/saxpy")
    assert not [error for error in errors if "/_static/page/" in error]  # the theme has errors of its own


ALL_WAIT = """\
__global__ void all_wait(float* out, int n)
{
    __shared__ float row[1024];
    row[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = row[1023 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 7) out[n] = 2.0f;
}
"""
#: Gives the worker the same question several times, as client.mjs would, and returns what it tells of the last.
REQUEST = """async ([address, question, times]) => {
    const worker = new Worker(address, { type: "module" });
    let told;
    for (let n = 0; n < times; n++)
        await new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => {
                if (data.type === "failed") reject(new Error(data.why));
                else if (data.type === "done") resolve();
                else told = data;
            };
            worker.postMessage(question);
        });
    worker.terminate();
    return told;
}"""


def test_many_launches_of_a_kernel_that_belongs_to_no_exercise(page: Page, site: str) -> None:
    """Each launch is stopped while a thousand threads wait. With a new stack for each, the renderer died within ten."""
    launch = pack_launch({"grid": 1, "block": 1024, "args": [np.zeros(1024, np.float32), 5000]})
    question = {"type": "run", "source": ALL_WAIT, "kernel": "all_wait", "launch": json.dumps(launch)}
    page.goto(f"{site}/exercises/threads/saxpy.html")
    reported = page.evaluate(REQUEST, [f"{site}/_static/page/worker.js", question, 15])
    (shown,) = reported["shown"]
    assert "Thread 7 of block 0 writes out[5000], but out has 1024 elements" in shown["html"]
    assert reported["counts"] is None
    question["launch"] = json.dumps({**launch, "args": [*launch["args"][:1], 3]})
    reported = page.evaluate(REQUEST, [f"{site}/_static/page/worker.js", question, 1])
    assert "all_wait has no races: passed in 1 case, on the emulator." in [
        item.get("text") for item in reported["shown"]
    ]
    assert reported["counts"]["barriers"] == 2 * 1024


class Faulty(Quiet):
    """A server whose files fail as `faults` says, by name."""

    faults: ClassVar[dict[str, str]] = {}

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        fault = self.faults.get(path.name)
        if fault is None:
            return super().do_GET()
        if fault == "no answer":
            self.close_connection = True
        elif fault.isdigit():
            self.send_error(int(fault))
        else:
            content = path.read_bytes()
            half = len(content) // 2
            if fault == "sign in":
                content = b"<!doctype html><title>Sign in</title>"
            elif fault == "damaged":
                content = content[: half // 2] + bytes(len(content) - half // 2)
            self.send_response(200)
            self.send_header("content-type", "text/html" if fault == "sign in" else self.guess_type(str(path)))
            self.send_header("content-length", str(len(content)))
            self.send_header("cache-control", "max-age=600")
            self.end_headers()
            self.wfile.write(content[:half] if fault in ("cut", "silent") else content)
            while fault == "silent" and fault == self.faults.get(path.name):
                time.sleep(0.1)
            self.close_connection = True
        return None


@pytest.fixture
def faulty(html: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Faulty, directory=str(html)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    Faulty.faults.clear()
    server.shutdown()
    thread.join()
    server.server_close()


SIGN_IN = "a web page came in its place; if this network asks you to sign in, do so first"
DOWNLOADS = [
    ("pyodide.asm.wasm", "503", "the server answered 503"),  # of which Pyodide would wait without end
    ("pyodide.asm.wasm", "damaged", "it arrived damaged"),
    ("pyodide.asm.wasm", "silent", "nothing more of it came for 20 seconds"),
    ("pyodide.asm.mjs", "404", "the server answered 404"),
    ("llvm.core.wasm", "cut", "the connection broke off"),
    ("llvm.core.wasm", "sign in", SIGN_IN),
    ("llvm.core.wasm", "silent", "nothing more of it came for 20 seconds"),
    ("python.memory.gz", "cut", "the connection broke off"),
    ("python.memory.gz", "damaged", "it arrived damaged"),
    ("prelude.pch", "damaged", "it arrived damaged"),
    ("manifest.json", "sign in", SIGN_IN),
    ("saxpy.json", "damaged", "it arrived damaged"),
    ("saxpy.json", "no answer", "nothing answered; check that this device is online"),
    ("worker.js", "404", "check that this device is online"),
]


@pytest.mark.parametrize(("name", "fault", "why"), DOWNLOADS)
def test_a_download_that_fails_is_one_sentence(name: str, fault: str, why: str, page: Page, faulty: str) -> None:
    page.goto(f"{faulty}/exercises/threads/saxpy.html")
    write(page, solution_of("threads/saxpy")["answer"])
    Faulty.faults[name] = fault
    page.locator(".answer-check").click()
    reported = result(page)
    assert reported.startswith(
        f"{name} could not be downloaded: {why}. Your answer is kept. Press Check to try again, or "
    )
    assert "Colab" in reported
    assert not page.locator(".answer-result").count()
    Faulty.faults.clear()
    assert points(page, 0) == (10, 10)  # the next attempt begins anew


def test_what_the_small_compiler_lacks_the_whole_one_does(page: Page, site: str, html: Path) -> None:
    """Here the small one lacks everything."""
    core = (html / "_static/page/clang/llvm.whole.wasm").read_bytes()
    page.context.route(
        "**/llvm.core.wasm",
        lambda route: route.fulfill(body=without_others(core, set()), content_type="application/wasm"),
    )
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url.rpartition("/")[2]))
    page.goto(f"{site}/exercises/threads/saxpy.html")
    write(page, solution_of("threads/saxpy")["answer"])
    assert points(page, 0) == (10, 10)
    assert requested.count("llvm.core.wasm") == requested.count("llvm.whole.wasm") == 1


def test_a_browser_without_what_it_takes_is_told_where_to_go(page: Page, site: str) -> None:
    page.add_init_script("delete WebAssembly.Suspending")
    page.goto(f"{site}/exercises/threads/saxpy.html")
    which = "Use Chrome or Edge from version 137 on, Firefox from 153 on, or work on it in Colab."
    reported = page.locator(".how-to-work p", has_text=which)
    assert "colab" in (reported.get_by_role("link").get_attribute("href") or "")
    for words in ("Run the cell after each change", "Each cell below is one check"):
        assert page.get_by_text(words).is_visible()
    assert not page.locator(".answer-panel").count()
    assert page.locator(".how-to-work a", has_text="Open in Colab").is_visible()


def wrong_answer(name: Path) -> str | None:
    """The text of a known mistake; None for an exercise whose mistakes are not a kernel, or of several answers."""
    mutants = sorted((ROOT / "solutions" / name.parent / "mutants" / name.name).glob("*.cu"))
    texts = list(solution_of(name).values())
    if len(texts) != 1 or not mutants:
        return None
    return texts[0].partition("\n")[0] + "\n" + mutants[0].read_text().partition("\n")[2]


def points(page: Page, number: int) -> tuple[float, float]:
    """Press Check below an answer; what it gets, and the most."""
    page.locator(".answer-check").nth(number).click()  # what stood there of the points is gone with the click
    got, most = result(page, number).split(" points")[0].split(" of ")
    return float(got), float(most)


@pytest.mark.rare  # an exercise whose page is driven from the wrong answer to the submission stands for them
@pytest.mark.parametrize("name", EXERCISES, ids=str)
def test_each_exercise_is_answered_in_its_page(name: Path, page: Page, site: str, tmp_path: Path) -> None:
    page.goto(f"{site}/exercises/{name}.html")
    page.locator(".answer-panel").first.wait_for()
    if wrong := wrong_answer(name):
        write(page, wrong)
        got, most = points(page, 0)
        assert got < most
        assert "FAILED" in page.locator(".answer-results").inner_text()  # others may be blocked
    for number, text in enumerate(solution_of(name).values()):
        write(page, text, number)
    total = 0.0
    for number in range(page.locator(".answer-check").count()):
        got, most = points(page, number)
        assert got == most, page.locator(".answer-results").nth(number).inner_text()
        total += most
    graded = run(solution_notebook(name), answers_of(download(page, tmp_path)))
    assert all(item.outcome is Outcome.PASSED for item in graded)
    assert sum(item.points for item in graded) >= total
