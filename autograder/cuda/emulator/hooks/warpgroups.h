// What inline PTX calls for warpgroups: products that tensor cores compute while the threads go on. A product reads its
// factors, and adds to its sums, when the threads wait for it. Until then the sums and a factor in registers belong to the
// tensor cores; the compiler has said where the thread keeps them (cuda/compiler/asm_calls.py).
#pragma once
#include "descriptors.h"
#include "matrices.h"
#include "scheduling/warpgroups.h"

constexpr u32 ROWS = 64, MAX_COLUMNS = 256;

// A product as the prelude gives it, in 64 bits (prelude_wgmma.h).
struct ProductForm {
    ElementType a, b, sum;
    bool in_registers, adds, negates_a, negates_b, turns_a, turns_b, saturates;
    u32 columns;
    explicit ProductForm(u64 bits)
        : a(ElementType(bits & 15)), b(ElementType(bits >> 4 & 15)), sum(ElementType(bits >> 8 & 15)),
          in_registers(bits >> 12 & 1), adds(bits >> 13 & 1), negates_a(bits >> 14 & 1), negates_b(bits >> 15 & 1),
          turns_a(bits >> 16 & 1), turns_b(bits >> 17 & 1), saturates(bits >> 18 & 1), columns(u32(bits >> 32)) {}
    u32 depth() const { return ROW_BYTES / BYTES_OF[u32(a)]; }
    bool is_whole() const { return sum == ElementType::Int; }
    // A thread's registers of sums.
    u32 registers() const { return columns * BYTES_OF[u32(sum)] / 8; }
    bool is_sound() const {
        return u32(a) < ELEMENTS && u32(b) < ELEMENTS && BYTES_OF[u32(a)] == BYTES_OF[u32(b)] && columns &&
               columns % 8 == 0 && columns <= MAX_COLUMNS && a != ElementType::Double &&
               (sum == ElementType::Half || sum == ElementType::Float || sum == ElementType::Int);
    }
};

static u64 shared_place(u64 address) { return (u64)emu_shared_pointer(u32(address), nullptr); }

// ---- the product itself -----------------------------------------------------------------------------
static u8 rows_of_a[ROWS][ROW_BYTES], rows_of_b[MAX_COLUMNS][ROW_BYTES];

static void read_matrix(u64 descriptor, u32 rows, bool turned, u8 (*to)[ROW_BYTES]) {
    MatrixDescriptor(descriptor).each_piece(rows, turned, [&](u64 address, u32 row, u32 byte) {
        const u8* from = (const u8*)shared_place(address);
        if (!turned) __builtin_memcpy(to[row] + byte, from, PIECE);
        else
            for (u32 i = 0; i < 8; i++) __builtin_memcpy(to[row + i] + byte, from + 2 * i, 2);
    });
}

// A register of the first factor has a word of a row, as a fragment of `mma` does.
static void read_registers(const Product& p) {
    for (u32 i = 0; i < WARPGROUP; i++)
        for (u32 k = 0; k < MAX_FACTORS; k++)
            __builtin_memcpy(rows_of_a[i / 32 * 16 + i % 32 / 4 + k % 2 * 8] + 4 * (i % 4 + k / 2 * 4),
                             &p.factors[i][k], 4);
}

template <class T, u32 N, class F>
static void unpack_rows(T (&to)[N][ROW_BYTES], u8 (*from)[ROW_BYTES], u32 rows, u32 bytes, F read) {
    for (u32 row = 0; row < rows; row++)
        for (u32 k = 0; k < ROW_BYTES / bytes; k++) to[row][k] = read(u32(element_at(from[row], k, bytes)));
}

// Adds the product to the sums, where the threads keep them. Registers of sums hold what fragments of `mma` do, eight
// columns after the other.
static void compute(const Product& p) {
    static Floating a[ROWS][ROW_BYTES], b[MAX_COLUMNS][ROW_BYTES];
    static i32 whole_a[ROWS][ROW_BYTES], whole_b[MAX_COLUMNS][ROW_BYTES];
    const ProductForm form(p.form);
    if (form.in_registers) read_registers(p);
    else read_matrix(p.a, ROWS, form.turns_a, rows_of_a);
    read_matrix(p.b, form.columns, form.turns_b, rows_of_b);
    const u32 bytes = BYTES_OF[u32(form.a)], sum_bytes = BYTES_OF[u32(form.sum)];
    const FloatFormat &of_a = format_of(form.a), &of_b = format_of(form.b), &of_sum = format_of(form.sum);
    auto reader = [](const FloatFormat& f, bool negates) {
        return [&f, negates](u32 bits) {
            Floating x = unpack(bits, f);
            if (negates) x.significand = -x.significand;
            return x;
        };
    };
    Observers::matrix_product(&rows_of_a[0][0], sizeof rows_of_a);
    if (form.is_whole()) {
        unpack_rows(whole_a, rows_of_a, ROWS, bytes, [&](u32 bits) { return whole(bits, form.a); });
        unpack_rows(whole_b, rows_of_b, form.columns, bytes, [&](u32 bits) { return whole(bits, form.b); });
    } else {
        unpack_rows(a, rows_of_a, ROWS, bytes, reader(of_a, form.negates_a));
        unpack_rows(b, rows_of_b, form.columns, bytes, reader(of_b, form.negates_b));
    }
    const Adder adder = adder_of(form.a, false);
    Thread* threads = threads_of_warpgroup(*current);
    for (u32 i = 0; i < WARPGROUP; i++)
        for (u32 k = 0; k < form.columns / 2; k++) {
            u32 row = i / 32 * 16 + i % 32 / 4 + k % 4 / 2 * 8, column = k / 4 * 8 + i % 4 * 2 + k % 2;
            u8* to = (u8*)threads[i].stack_low + p.sums->places[i].of[k * sum_bytes / 4] + k * sum_bytes % 4;
            u32 sum = 0;
            if (form.adds) __builtin_memcpy(&sum, to, sum_bytes);
            sum = form.is_whole() ? multiply_whole(whole_a[row], whole_b[column], form.depth(), sum, form.saturates)
                                  : add_products(a[row], b[column], form.depth(), of_a.fraction + of_b.fraction, adder,
                                                 sum, of_sum, of_sum);
            must_be_in_window(to, sum_bytes);
            __builtin_memcpy(to, &sum, sum_bytes);
        }
}

// ---- its registers ----------------------------------------------------------------------------------
// Of the running thread's next product.
static Sums& sums_of(Warpgroup& w, u32 count) {
    Thread* threads = threads_of_warpgroup(*current);
    const u64 bytes = count * sizeof(u16);
    Sums* unused = nullptr;
    for (u64 i = 0; i < w.sums.count; i++) {
        Sums& known = *w.sums.items[i];
        if (!known.unfinished) unused = &known;
        bool same = known.unfinished && known.count == count;
        for (u32 k = 0; same && k < WARPGROUP; k++)
            same = !__builtin_memcmp(known.places[k].of, next_registers[threads[k].slot].of, bytes);
        if (same) return known;
    }
    if (!unused) unused = w.sums.push() = (Sums*)allocate(sizeof(Sums));
    unused->count = count;
    for (u32 k = 0; k < WARPGROUP; k++)
        __builtin_memcpy(unused->places[k].of, next_registers[threads[k].slot].of, bytes);
    return *unused;
}

static void begin_product(const u64* same, WarpgroupCall** calls, const void* site) {
    const ProductForm form(same[0]);
    Thread* threads = threads_of_warpgroup(*current);
    Warpgroup& w = warpgroup_of(*current);
    if (!w.engine.block) w.engine = make_engine(Wait::Product);
    if (!w.unused.count) w.unused.push() = (Product*)allocate(sizeof(Product));
    Product& p = *w.unused.items[--w.unused.count];
    p.form = same[0], p.a = same[1], p.b = same[2], p.group = w.group;
    p.sums = &sums_of(w, form.registers());
    const bool goes_on = p.sums->unfinished;
    for (u32 i = 0; i < WARPGROUP; i++) {
        const RegisterPlaces& places = next_registers[threads[i].slot];
        Thread* running = current;
        current = threads + i;
        for (u32 k = 0; k < form.registers() && !goes_on; k++)
            Observers::take_register(threads[i], threads[i].stack_low + places.of[k], form.adds, site);
        __builtin_memcpy(p.factors[i], calls[i]->factors, sizeof p.factors[i]);
        for (u32 k = 0; k < MAX_FACTORS && form.in_registers; k++) {
            p.factor_places[i][k] = places.of[form.registers() + k];
            if (p.factor_places[i][k] != NOWHERE)
                Observers::lend_register(threads[i], threads[i].stack_low + p.factor_places[i][k], site);
        }
        current = running;
    }
    p.sums->unfinished++;
    w.unfinished.push() = &p;
    auto read = [&](u64 descriptor, u32 rows, bool turned) {
        const MatrixDescriptor matrix(descriptor);
        if (!matrix.is_sound) stop_crash("matrix descriptor", site);
        matrix.each_piece(rows, turned, [&](u64 address, u32, u32) {
            u64 at = shared_place(address);
            Where where = find_array(at, PIECE);
            if (!where.variable || where.variable->space != Space::Shared)
                stop_out_of_bounds(at, PIECE, Action::Read, site, &module_region);
            Observers::access(
                Access{*threads, where, at, PIECE, Action::Read, site, NO_NUMBER, false, &w.engine, WARPGROUP});
        });
    };
    Observers::settle();
    if (!form.in_registers) read(p.a, ROWS, form.turns_a);
    read(p.b, form.columns, form.turns_b);
    w.engine.interval++;
    if (request.copies_at_once) compute(p);
}

static void finish_product(Warpgroup& w) {
    const Product& p = *w.unfinished.items[0];
    Thread* threads = threads_of_warpgroup(*current);
    if (!request.copies_at_once) compute(p);
    const bool goes_on = p.sums->unfinished > 1;
    for (u32 i = 0; i < WARPGROUP; i++) {
        for (u32 k = 0; k < p.sums->count && !goes_on; k++)
            Observers::give_register(threads[i], threads[i].stack_low + p.sums->places[i].of[k]);
        for (u32 k = 0; k < MAX_FACTORS && ProductForm(p.form).in_registers; k++)
            if (p.factor_places[i][k] != NOWHERE)
                Observers::return_register(threads[i], threads[i].stack_low + p.factor_places[i][k]);
    }
    finish_oldest(w);
}

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
// Where the thread keeps a register of its next product; null: nowhere that stays.
void emu_warpgroup_register(const void* p, unsigned index) {
    if (p && !in_stack(*current, (u64)p, 4)) stop_crash("registers in memory", CALL_SITE);
    if (index >= MAX_SUMS + MAX_FACTORS) quit(Status::Fault);
    next_registers[current->slot].of[index] = p ? u16((u64)p - current->stack_low) : u16(NOWHERE);
}

// `a`: a descriptor; or, with `more`, four registers.
void emu_warpgroup_multiply(unsigned long long a, unsigned long long more, unsigned long long b,
                            unsigned long long form, const void* site) {
    ProductForm of(form);
    if (!of.is_sound()) stop_crash("matrix form", site);
    Observers::warp_operation(*current, "wgmma.mma_async");
    WarpgroupCall call, *calls[WARPGROUP];
    call.same[0] = form, call.same[1] = of.in_registers ? 0 : a, call.same[2] = b;
    const u32 factors[MAX_FACTORS] = {u32(a), u32(a >> 32), u32(more), u32(more >> 32)};
    __builtin_memcpy(call.factors, factors, sizeof factors);
    if (meet_warpgroup(call, calls, "wgmma.mma_async", site)) begin_product(call.same, calls, site);
}

void emu_warpgroup_fence(const void* site) {
    WarpgroupCall call = {}, *calls[WARPGROUP];
    meet_warpgroup(call, calls, "wgmma.fence", site);
    Observers::fence_registers(*current);
}

void emu_warpgroup_commit(const void* site) {
    WarpgroupCall call = {}, *calls[WARPGROUP];
    if (meet_warpgroup(call, calls, "wgmma.commit_group", site)) warpgroup_of(*current).group++;
}

void emu_warpgroup_wait(unsigned prior, const void* site) {
    WarpgroupCall call = {{prior}, {}, false}, *calls[WARPGROUP];
    Warpgroup& w = warpgroup_of(*current);
    if (meet_warpgroup(call, calls, "wgmma.wait_group", site))
        while (w.unfinished.count && w.unfinished.items[0]->group + prior < w.group) finish_product(w);
    if (!w.engine.block) return;
    const CopyEngine finished = {w.engine.block, w.engine.interval - u32(w.unfinished.count)};
    Observers::await_bulk_copies(*current, finished);
}
}
#pragma GCC visibility pop
