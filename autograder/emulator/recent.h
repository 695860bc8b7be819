// What the runtime shares with the part of it that is compiled into each kernel, inline_hooks.cpp: what
// an instruction of a warp did last. The array and the log are mostly the same next time.
#pragma once
#include "protocol.h"
#include "types.h"

struct SiteLog;

struct Meeting {  // of lanes, in one request
    u64 place;
    u64 fits;   // `start`, if each lane that keeps its distance is within the array there; or NEVER
    u64 start;  // where it begins for a lane of distance 0
    u32 lanes;  // only of a log that is `searched`
    u32 odd;    // number + 1 of its WarpRequest, if not all keep their distances
};
constexpr u64 NEVER = 0xc000000000000001;  // what no access fits: no distance leads from there to an address

struct LaneTurn {
    Meeting* next;    // the request that it makes next, if it goes on as others did
    long long delta;  // how far the lane is behind the start of each request, within 31 bits; kept over barriers
};

struct Use {
    u64 writer, reader;  // see uses.h
};

struct Recent {
    u64 start, span;  // at which addresses the access may begin; none: nothing is known
    u64 uses;         // the Use of address a, which is a multiple of 4, stands at uses + 4 * a
    SiteLog* log;
    bool shared;  // memory
};

// A kernel has one for each instruction that is told of with a number, and those are numbered up to here.
constexpr u32 RECENT_LIMIT = 4096;

// The thread that runs. The kernel finds it where the register GS points, which no C++ can name: so
// nothing of the kernel's ever holds where it is.
struct Running {
    u64 place;        // which the kernel keeps up to date, see loops.py
    LaneTurn* turns;  // its own at the first instruction; at each next one they stand 32 further on
    Recent* recent;   // of its warp
    u64 me;           // what it leaves in a Use
    u64 many;         // what a Use's reader is where many threads have read in this interval
};
