"""Lambdas that a program makes for its kernels get names, and the compiler finds the types that they capture."""

from __future__ import annotations

import time

import pytest

from autograder.host.closures import name_closures


def value(function: str) -> str:
    """What becomes of the lambda in a function, the text from `run(` on."""
    text, kernels, places = name_closures(f'# 1 "a.cu"\n{function}\n')
    assert len(places) == (kernels.count("\n") + 1 if kernels else 0)
    found = text.partition("run(")[2].partition("\n")[0]
    return found.replace("__remove_restrict(__remove_cvref(decltype(", "T(((").replace("lambda_of_line_", "L")


@pytest.mark.parametrize(
    ("function", "becomes"),
    [
        ("void f(int n) { run([=] __device__ (int i) { g(n, i); }); }", "L1<T(((n)))>{n}"),
        ("void f(int n) { run([=] __host__ __device__ () { return n; }); }", "L1<T(((n)))>{n}"),
        ("void f(int n) { run([] __device__ (int i) { g(i); }); }", "L1{}"),
        ("void f(int n) { run([n] __device__ (int i) { g(i); }); }", "L1<T(((n)))>{n}"),
        ("void f(int n) { run([n, m = h(n, 1)] __device__ () {}); }", "L1<T(((n))), T(((h(n, 1))))>{n, h(n, 1)}"),
        (
            "void f() { int a, *b = 0; { int c; } run([=] __device__ () { b[a] = c; }); }",
            "L1<T(((b))), T(((a)))>{b, a}",
        ),
        ("void f() { for (int k = 0; k < 2; k++) run([=] __device__ () { g(k); }); }", "L1<T(((k)))>{k}"),
        (
            "void f() { int a[] = {1}; dim3 b(2); run([=] __device__ () { g(b.a, a); }); }",
            "L1<T(((b))), T(((a)))>{b, a}",
        ),
        ("void f() { std::map<int, int> m; return run([=] __device__ () { g(m); }); }", "L1<T(((m)))>{m}"),
        ("template <class T, int n> void f(T t) { run([=] __device__ (T u) { g(t, n); }); }", "L1<T, n, T(((t)))>{t}"),
        ("void f() { constexpr int n = 3; using T = int; run([=] __device__ (T u) { g(n); }); }", "L1<T, n>{}"),
        (
            "void f(int n) { auto g = [](int i) { return i; }; run([=] __device__ (int i) { g(i); f(n); }); }",
            "L1<T(((g))), T(((n)))>{g, n}",
        ),
        ("namespace a { namespace { void f(int n) { run([=] __device__ () { g(n); }); } } }", "L1<T(((n)))>{n}"),
    ],
)
def test_a_lambda_has_what_it_captures(function: str, becomes: str) -> None:
    assert value(function) == becomes


@pytest.mark.parametrize(
    "function",
    [
        "void f(int n) { run([&] __device__ (int i) { g(n); }); }",
        "void f(int n) { run([=, &n] __device__ (int i) { g(n); }); }",
        "void f(int n) { run([=](int i) { g(n); }); }",
        "void f(int n) { run([=] __host__ (int i) { g(n); }); }",
        "struct S { int n; void f() { run([=] __device__ (int i) { g(n); }); } };",
        "struct S { int n; void f() { run([this] __device__ (int i) { g(n); }); } };",
        "auto x = run([] __device__ (int i) {});",
        "template <class... T> void f(T... t) { run([=] __device__ () { g(1); }); }",
        "void f(int n) { run([=] __device__ (int i) {",
        "void f(int n) { run([=] __device__ (int i",
    ],
)
def test_another_stays_as_it_is(function: str) -> None:
    text = f'# 1 "a.cu"\n{function}\n'
    assert name_closures(text) == (text, "", ())


def test_only_the_texts_own_files_are_read() -> None:
    text = '# 1 "a.h" 3\nvoid f() { run([] __device__ () {}); }\n'
    assert name_closures(text) == (text, "", ())


@pytest.mark.parametrize(
    "text",
    [
        "void f(int n) {" + "run([=] __device__ () { g(n); });" * 3_000 + "}",
        "void f(int n) {" + "{;" * 40_000 + "run([=] __device__ () { g(n); });",
        "void f(" + "<" * 40_000 + ">" * 40_000 + ") { run([=] __device__ () { g(n); }); }",
        "void f(int n) { typedef" + " " * 90_000 + "; run([=] __device__ () { g(n); }); }",
        "[" * 90_000 + "] __device__ ()",
        "]" + " " * 90_000 + "[] __device__ () ->" + " " * 5_000,
    ],
)
def test_it_takes_no_time_whatever_the_text(text: str) -> None:
    start = time.process_time()
    name_closures(f'# 1 "a.cu"\n{text}\n')
    assert time.process_time() - start < 4
