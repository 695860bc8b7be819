// Barriers in memory, of which cuda::barrier and PTX's mbarrier are two names: threads arrive, and wait for the phase in
// which they arrived to end; bulk copies bring bytes that the phase waits for, too. What happens before an arrival happens
// before what follows a wait for that phase.
#pragma once
#include "calls.h"

// In one word, which is all that there is of it.
struct Phase {
    u32 expected, missing;  // arrivals
    i32 bytes;              // that are missing
    u32 number;

    static constexpr u64 MANY = (1 << 20) - 1;
    explicit Phase(u64 word)
        : expected(word & MANY), missing(word >> 20 & MANY), bytes(i32(word >> 29) >> 11), number(word >> 61) {}
    u64 word() const {
        return expected | u64(missing) << 20 | (u64(u32(bytes)) & (2 * MANY + 1)) << 40 | u64(number) << 61;
    }
};

constexpr u32 MBARRIER_BYTES = 8;
// How an operation is made, as prelude_bulk.h names them: only by its block, or for others, too; ordering nothing;
// an arrival that is the thread's last; none at all, only bytes; by a parity; and from cuda::barrier.
enum : u32 { IN_BLOCK = 1, RELAXED = 2, DROPS = 4, ONLY_BYTES = 8, BY_PARITY = 16, OF_CUDA = 32 };

// Phases take turns with two addresses, so that no thread learns from a phase that it did not wait for.
static u64 address_of(u64 barrier, u32 phase) { return barrier + 4 * (phase & 1); }

static Phase phase_at(u64 barrier) { return Phase(*(const u64*)barrier); }

static bool may_be_shared(u64 address) { return is_in_slots(address) || is_shared(address); }

// How many of its phases have ended; if it is not in shared memory, modulo 8.
static u32 phases_ended(u64 barrier) {
    return may_be_shared(barrier) ? mbarrier_at(barrier).ended : phase_at(barrier).number;
}

static void put_phase(u64 barrier, Phase p) {
    if (!p.missing && !p.bytes) {
        p.missing = p.expected;
        p.number = (p.number + 1) & 7;
        if (may_be_shared(barrier)) mbarrier_at(barrier).ended++;
    }
    must_be_in_window((const void*)barrier, MBARRIER_BYTES);
    Observers::settle();
    *(u64*)barrier = p.word();
    record_change();
}

// An operation on a barrier, as an atomic. False: it is in shared memory, and was never initialized.
static bool touch_mbarrier(u64 barrier, u32 how, const void* site) {
    if (!(how & OF_CUDA) && find_array(barrier, 1).variable && !may_be_shared(barrier))
        stop_crash("mbarrier not shared", site);
    access_atomically(barrier, MBARRIER_BYTES, how & IN_BLOCK ? SCOPE_BLOCK : SCOPE_DEVICE, Part::Both, site);
    return !may_be_shared(barrier) || mbarrier_at(barrier).ready;
}

static void check_bytes(i64 bytes, const void* site) {
    if (bytes > i64(Phase::MANY) || bytes < -i64(Phase::MANY)) stop_crash("mbarrier bytes", site);
}

// Bytes have come that the phase waits for. (That is: the latest copy of the barrier's engine has landed.)
static void count_landed(Mbarrier& m, u64 bytes, const void* site) {
    const u64 barrier = place_here(m.place);
    Phase p = phase_at(barrier);
    check_bytes(i64(p.bytes) - i64(bytes), site);
    const CopyEngine so_far = {m.engine.block, ++m.landed};
    Observers::complete_at_mbarrier(so_far, address_of(barrier, p.number));
    p.bytes -= i32(bytes);
    put_phase(barrier, p);
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
void emu_mbarrier_init(void* at, unsigned count, unsigned how, const void* site) {
    const u64 barrier = (u64)at;
    if (count > Phase::MANY || (!count && !(how & OF_CUDA))) stop_crash("mbarrier count", site);
    access(barrier, MBARRIER_BYTES, Action::Write, site);
    if (may_be_shared(barrier)) {
        Mbarrier& m = mbarrier_at(barrier);
        if (m.ready && !(how & OF_CUDA)) stop_crash("mbarrier in use", site);
        m.ready = true;
    } else if (!(how & OF_CUDA)) {
        stop_crash("mbarrier not shared", site);
    }
    Phase p(0);
    p.expected = p.missing = count;
    put_phase(barrier, p);
}

void emu_mbarrier_invalidate(void* at, const void* site) {
    const u64 barrier = (u64)at;
    access(barrier, MBARRIER_BYTES, Action::Write, site);
    if (!may_be_shared(barrier) || !mbarrier_at(barrier).ready) stop_crash("mbarrier not ready", site);
    Mbarrier& m = mbarrier_at(barrier);
    if (m.on_way.count) stop_crash("mbarrier in use", site);
    m.ready = false;
}

// Returns the word as it was, which tells the phase.
unsigned long long emu_mbarrier_arrive(void* at, unsigned count, int bytes, unsigned how, const void* site) {
    const u64 barrier = (u64)at;
    const bool ready = touch_mbarrier(barrier, how, site);
    const u64 before = *(const u64*)barrier;
    if (!ready) return before;  // whoever waits there will tell
    Phase p(before);
    if (how & ONLY_BYTES) count = 0;
    else if (!count || count > p.missing) stop_crash(how & OF_CUDA ? "barrier arrivals" : "mbarrier arrivals", site);
    check_bytes(i64(p.bytes) + bytes, site);
    if (!(how & RELAXED))
        Observers::release(*current, address_of(barrier, p.number), how & IN_BLOCK ? SCOPE_BLOCK : SCOPE_DEVICE);
    if (how & DROPS) p.expected--;
    p.missing -= count;
    p.bytes += bytes;
    put_phase(barrier, p);
    return before;
}

// Whether the phase of `token` has ended, a word that an arrival has returned; or that of a parity. If it has not, others
// go on. Who waits for a phase sees its end, though the next one may have ended, too, when it asks again.
int emu_mbarrier_test(const void* at, unsigned long long token, unsigned how, const void* site) {
    if (comes_back()) return 0;
    const u64 barrier = (u64)at;
    const bool ready = touch_mbarrier(barrier, how, site), by_parity = how & BY_PARITY;
    const u32 phase = by_parity ? u32(token & 1) : Phase(token).number;
    Watch& w = current->watch;
    const bool waits = w.waits && w.barrier == barrier;
    if (ready && !waits && !by_parity && ((phase_at(barrier).number - phase) & 7) > 1)
        stop_crash(how & OF_CUDA ? "barrier token" : "mbarrier token", site);
    auto has_ended = [&] {
        const u32 now = phase_at(barrier).number;
        return (by_parity ? now & 1 : now) != phase || (waits && phases_ended(barrier) != w.phase);
    };
    if (ready && may_be_shared(barrier)) {
        Mbarrier& m = mbarrier_at(barrier);
        u64 landed = 0;
        for (; landed < m.on_way.count && !has_ended(); landed++) {
            BulkCopy& c = *m.on_way.items[landed];
            land(c);
            count_landed(m, c.bytes, site);
            forget(c);
        }
        m.on_way.count -= landed;
        for (u64 i = 0; i < m.on_way.count; i++) m.on_way.items[i] = m.on_way.items[i + landed];
    }
    if (ready && has_ended()) {
        Observers::pass_barrier();
        end_spin(*current);
        if (!(how & RELAXED)) Observers::acquire(*current, address_of(barrier, phase), SCOPE_DEVICE);
        return 1;
    }
    const Phase p = phase_at(barrier);
    w.unready = !ready;
    w.barrier = ready ? barrier : 0;
    if (ready) w.expected = p.expected, w.missing = p.missing, w.bytes = p.bytes, w.phase = phases_ended(barrier);
    current->site = site;
    watch_spin(*current, barrier);
    leave_to_runtime();
    return 0;
}
}
#pragma GCC visibility pop
