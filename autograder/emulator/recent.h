// What the runtime shares with the part of it that is compiled into each kernel, inline_hooks.cpp: what
// an instruction of a warp did last. The array and the log are mostly the same next time.
#pragma once

struct SiteLog;

struct LaneTurn {
    int next;   // the number of the request that it makes next, if it goes on as others did
    int delta;  // how far the lane is behind the start of each request; kept over barriers
};

struct Use {
    unsigned long long writer, reader;  // see quick.h
};

struct Recent {
    unsigned long long start, span;  // at which addresses the access may begin; none: nothing is known
    const unsigned long long* fits;  // of the log
    LaneTurn* lanes;
    unsigned long long uses;  // the Use of address a, which is a multiple of 4, stands at uses + 4 * a
    SiteLog* log;
};

// A kernel has one for each instruction that is told of with a number, and those are numbered up to here.
constexpr unsigned RECENT_LIMIT = 4096;

struct Running {  // the thread that runs
    unsigned long long place;  // which the kernel keeps up to date, see loops.py
    Recent* recent;            // of its warp
    unsigned long long lane;
    unsigned long long many;  // what a Use's reader is where many threads have read in this interval; 0: only count
};
constexpr unsigned long long ANY_BLOCK = ~0ull;

// One number for a place and where a request there starts. Two places differ in their lower halves, and two starts
// hardly in their upper ones: so what fits is the same place and the same start.
inline __attribute__((always_inline)) unsigned long long key_of(unsigned long long place, unsigned long long start) {
    return (place << 32 | place >> 32) + start;
}
