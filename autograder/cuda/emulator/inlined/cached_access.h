// What the runtime shares with the part of it that is compiled into each kernel, inline_hooks.cpp: what an instruction
// of a warp did last. Its array and its requests are mostly the same next time.
#pragma once
#include "protocol.h"
#include "types.h"

struct RequestLog;  // see counting/request_log.h

// A request: one instruction of one warp, in one iteration of the loops around it.
struct RequestSlot {
    u64 loop_hash;
    u64 fits;   // `start`, if each lane that keeps its distance is within the array there; or NEVER
    u64 start;  // where it begins for a lane of distance 0
    u32 lanes;  // only of a log that is `searched`
    u32 odd;    // number + 1 of its WarpRequest, if not all lanes keep their distances
};
constexpr u64 NEVER = 0xc000000000000001;  // what no access fits: no distance leads from there to an address

struct LaneCursor {
    RequestSlot* next;  // the request that the lane makes next, if it goes on as others did
    i64 delta;          // its distance from the start of each request, within 31 bits; survives barriers
};

// What the fast path remembers of each 4 bytes, see shadow_word.h.
struct ShadowWord {
    u64 writer, reader;
};

// A kernel has one for each access that has a number.
struct CachedAccess {
    u64 start, span;  // at which addresses the access may begin; span 0: nothing is known
    u64 words;        // the ShadowWord of address a, a multiple of 4, are at words + 4 * a after the window's start
    RequestLog* log;
    bool shared;  // in shared memory
};

// The thread that runs. The kernel finds this, and what it leaves there, by a register that no C++ can name (GS; it points
// to where the window begins, see platform/platform.h): all else that it writes lies in the window.
struct Running {
    u64 loop_hash;        // of the iterations and calls that the thread is in; the kernel keeps it, see loops.py
    u64 cursors;          // its own for access 0, after the window's start; each next access has its 32 further on
    CachedAccess* cache;  // of its warp
    u64 me;               // what it leaves in shadow words
    u64 many;             // what they hold where many threads have read in this barrier interval
};
