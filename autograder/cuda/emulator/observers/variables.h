// What a debugger shows besides accesses: the lines, calls and variables of the threads of one block. steps.py reports
// them, and where a variable is; all accesses of a thread's stack are then ones that the core hears of.
#pragma once
#include "local_arrays.h"
#include "trace.h"

struct Variables : Observer {
    static constexpr OnFastPath on_fast_path = OnFastPath::Covered;
    static constexpr int turn = 2;  // the same
    struct Declared {
        u64 start, bytes;
        u32 what;
        u16 depth;
    };
    struct ThreadVariables {  // of a thread
        Vector<Declared> variables;
        u16 depth;  // how many calls it is in
        u32 line;   // 1 + the number of the line it has begun last in its call; 0: none
    };
    static inline ThreadVariables* threads;  // of the block that is followed; null: none is

    static void prepare() {
        if (request.trace_capacity && request.followed >= 0) threads = allocate_array<ThreadVariables>(block.size);
    }
    // The trace begins with the address of each array, so that a debugger can say where a pointer points to; and, as
    // writes, with what is in those that the text declares outside of functions.
    static void start_worker() {
        for (u32 i = 0; threads && i < request.n_variables; i++) {
            const Variable& v = variables[i];
            bool declared = v.space == Space::Device || v.space == Space::Constant;
            u64 shown = declared ? (v.bytes < MOST_SHOWN ? v.bytes : MOST_SHOWN) : 0;
            Trace::note(0, Event::Place, i, 0, v.start, u32((shown + PIECE - 1) / PIECE), nullptr);
            for (u64 at = 0; at < shown; at += PIECE)
                Trace::note(0, Event::Write, i, 0, at, shown - at < PIECE ? shown - at : PIECE, nullptr);
            Trace::settle();
        }
    }

    static void step(const Thread& t, Event event, u32 what, const void* site) {
        if (!is_followed()) return;
        ThreadVariables& mine = threads[t.linear];
        if (event == Event::Line && mine.line == what + 1) return;
        mine.line = event == Event::Line ? what + 1 : 0;
        Trace::settle();
        if (event == Event::Enter) mine.depth++;
        Trace::note(t.linear, event, what, mine.depth, 0, 0, site);
        if (event != Event::Leave) return;
        Vector<Declared>& those = mine.variables;
        while (those.count && those.items[those.count - 1].depth == mine.depth) those.count--;
        mine.depth--;
    }

    static void declare(const Thread& t, u64 start, u64 bytes, u32 what, bool is_set, const void* site) {
        if (!is_followed()) return;
        ThreadVariables& mine = threads[t.linear];
        Trace::settle();
        Trace::note(t.linear, Event::Declare, what, mine.depth, start, 0, site);
        u64 i = mine.variables.count;
        while (i > 0 && mine.variables.items[i - 1].start != start) i--;  // there, in a loop, it is declared again
        if (i) mine.variables.items[i - 1].what = what;
        else mine.variables.push() = {start, bytes, what, mine.depth};
        if (is_set) set(t, {start, bytes, what, mine.depth}, start, bytes, site);
    }

    // True, but for what is no variable: in such a build nearly all accesses are of a stack, and nobody else asks.
    static bool access_stack(Thread& t, u64 address, u64 size, Action action, const void* site) {
        if (LIKELY(!threads)) return false;
        if (action != Action::Read && is_followed()) write(t, address, size, site);
        return LocalArrays::access_stack(t, address, size, action, site) || address >= lowest_variable();
    }

private:
    static constexpr u64 PIECE = sizeof(TraceEvent::value), MOST_SHOWN = 1 << 16;

    static ALWAYS_INLINE bool is_followed() { return threads && request.followed == block.linear; }

    static void write(const Thread& t, u64 address, u64 size, const void* site) {
        Vector<Declared>& those = threads[t.linear].variables;
        for (u64 i = those.count; i > 0; i--) {
            const Declared& d = those.items[i - 1];
            if (address - d.start >= d.bytes) continue;
            u64 room = d.bytes - (address - d.start);
            Trace::settle();
            return set(t, d, address, size < room ? size : room, site);
        }
    }

    static void set(const Thread& t, const Declared& d, u64 address, u64 size, const void* site) {
        Trace::variable = d.start;
        for (u64 at = 0; at < size; at += PIECE) {
            u32 piece = size - at < PIECE ? size - at : PIECE;
            Trace::note(t.linear, Event::Set, d.what, d.depth, address + at - d.start, piece, site);
        }
    }
};
