// What mma.h and inline PTX call: a warp loads, stores and multiplies matrices as one. Of a fragment of mma.h, CUDA leaves
// it open which elements a lane holds. Here it is as `mma` has it for its registers (PTX ISA, "Matrix Fragments"): a lane
// holds words of 4 bytes of a factor (of doubles, single ones), and pairs of an accumulator; a block of 8 rows has a word
// of lane l in row l / 4, as the (l % 4)-th of it.
#pragma once
#include "access.h"
#include "matrix_numbers.h"

constexpr u32 MAX_IN_LANE = 16, MAX_LANE_BYTES = 64, MAX_ROWS = 32, MAX_DEPTH = 32;

struct MatrixForm {
    ElementType element;
    bool strided;  // elements of a word are not neighbors in memory
    bool sums;     // an accumulator
    u32 outer, inner, count;
    explicit MatrixForm(u32 form)
        : element(ElementType(form & 15)), strided(form & 16), sums(form & 32), outer(form >> 8 & 255),
          inner(form >> 16 & 255), count(form >> 24) {}
    u32 bytes() const { return BYTES_OF[u32(element)]; }
    u32 group() const { return sums ? 2 : bytes() < 4 ? 4 / bytes() : 1; }
    u32 held() const { return outer * inner / 32; }  // by a lane, once
    bool is_sound() const {
        return u32(element) < ELEMENTS && outer && inner && outer % 8 == 0 && outer <= MAX_ROWS && inner <= MAX_ROWS &&
               inner % (4 * group()) == 0 && held() <= count && count <= MAX_IN_LANE && count % held() == 0 &&
               count * bytes() <= MAX_LANE_BYTES;
    }
    // Where the lane's i-th element is: row along `outer`, place along `inner`.
    void locate(u32 lane, u32 i, u32& row, u32& place) const {
        u32 word = i / group(), tall = outer / 8;
        row = word % tall * 8 + lane / 4;
        place = (word / tall * 4 + lane % 4) * group() + i % group();
    }
};

// A lane in a call, on its own stack while all of its warp wait there.
struct MatrixCall {
    u64 same[3];  // what must be the same in all lanes
    u8 d[MAX_LANE_BYTES], a[MAX_LANE_BYTES], b[MAX_LANE_BYTES], c[MAX_LANE_BYTES];
    bool begun;  // by the first lane that went on, for all of them
};

// All 32 lanes must be at the same instruction, and mean the same.
static void check_lanes(const MatrixCall* const* calls, const char* function, const void* site) {
    const Thread* base = block.threads + current->warp * 32;
    u32 here = current->exchange.lanes, alike = 0;
    Vector<Waiting> sites;
    for (u32 left = here; left; left &= ~alike) {
        u32 first = u32(__builtin_ctz(left));
        const Location* call = nullptr;
        alike = 0;
        for (u32 l = 0; l < 32; l++) {
            if (!(here >> l & 1)) continue;
            if (!call) call = parting_call(base[first], base[l]);
            if (at_one_site(base[l], base[first])) alike |= 1u << l;
        }
        u64 count = u64(__builtin_popcount(alike));
        sites.push() = {count, function, location(base[first], base[first].site), call};
    }
    if (here != ~0u || sites.count > 1) {
        u64 exited = 0;
        for (u32 l = 0; l < 32 && current->warp * 32 + l < block.size; l++) exited += base[l].state == State::Exited;
        stop_divergence(Scope::Warp, 32, exited, sites);
    }
    for (u32 l = 1; l < 32; l++)
        if (__builtin_memcmp(calls[l]->same, calls[0]->same, sizeof calls[0]->same))
            stop_crash("matrix arguments", site);
}

// True: this lane is the first to go on, and acts for all of them: `calls`.
static bool meet(MatrixCall& call, MatrixCall** calls, const char* function, const void* site) {
    call.begun = false;
    if (come_to_warp(~0u, function, (u64)&call, site)) yield_to_runtime();
    if (call.begun) return false;
    for (u32 l = 0; l < 32; l++) calls[l] = (MatrixCall*)current->exchange.value[l];
    check_lanes(calls, function, site);
    for (u32 l = 0; l < 32; l++) calls[l]->begun = true;
    return true;
}

// A matrix in memory, of which each lane reads or writes its own words.
template <class F>
static void each_word(u64 address, u32 stride, const MatrixForm& form, Action action, const void* site, F move) {
    u32 n = form.bytes(), step = form.strided ? 1 : form.group();
    for (u32 i = 0; i < form.held(); i += step) {
        u32 row, place;
        form.locate(current->lane, i, row, place);
        u64 at = address + u64(n) * (form.strided ? u64(place) * stride + row : u64(row) * stride + place);
        access(at, n * step, action, site);
        move((u8*)at, i * n, n * step);
    }
}

static MatrixForm check_form(u32 form, const void* site) {
    MatrixForm out(form);
    if (!out.is_sound()) stop_crash("matrix form", site);
    return out;
}

static void meet_at_memory(u64 address, u32 stride, const MatrixForm& form, const char* function, const void* site) {
    MatrixCall call, *calls[32];
    call.same[0] = address;
    call.same[1] = stride;
    call.same[2] = form.strided;
    if (!meet(call, calls, function, site)) return;
    // CUDA asks for 32 of all, but tiles of one byte an element, side by side, lie 16 apart, and GPUs take them.
    if (address % (form.bytes() == 1 ? 16 : 32)) stop_crash("matrix address", site);
    if (stride * form.bytes() % 16) stop_crash("matrix stride", site);
}

// ---- products ---------------------------------------------------------------------------------------
static u64 element_at(const u8* x, u32 i, u32 bytes) {
    u64 out = 0;
    __builtin_memcpy(&out, x + i * bytes, bytes);
    return out;
}

static u32 multiply_whole(const i32* a, const i32* b, u32 depth, u32 c, bool saturate) {
    i64 sum = i32(c);
    for (u32 k = 0; k < depth; k++) sum += i64(a[k]) * b[k];
    if (saturate) sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? -0x80000000ll : sum;
    return u32(sum);
}

static u64 multiply_doubles(const double* a, const double* b, u32 depth, u64 c) {
    double sum = __builtin_bit_cast(double, c);
    for (u32 k = 0; k < depth; k++) sum = __builtin_fma(a[k], b[k], sum);
    return __builtin_bit_cast(u64, sum);
}

static bool whole_numbers(ElementType e) { return e == ElementType::Signed8 || e == ElementType::Unsigned8; }
static i32 whole(u32 bits, ElementType e) { return e == ElementType::Signed8 ? i32(i8(bits)) : i32(bits); }

// The factors of a warp, by rows of a and columns of b.
template <class T> struct Factors {
    T a[MAX_ROWS][MAX_DEPTH], b[MAX_ROWS][MAX_DEPTH];
};
template <class T, class F>
static void gather(T (*to)[MAX_DEPTH], MatrixCall* const* calls, u8 (MatrixCall::*x)[MAX_LANE_BYTES],
                   const MatrixForm& form, F read) {
    for (u32 lane = 0; lane < 32; lane++)
        for (u32 i = 0; i < form.held(); i++) {
            u32 row, place;
            form.locate(lane, i, row, place);
            to[row][place] = read(element_at(calls[lane]->*x, i, form.bytes()));
        }
}

// Fills every lane's `d`.
static void multiply(MatrixCall* const* calls, const MatrixForm& d, const MatrixForm& a, const MatrixForm& b,
                     const MatrixForm& c, bool saturate, bool in_ptx) {
    static Factors<Floating> numbers;
    static Factors<i32> integers;
    static Factors<double> doubles;
    bool is_whole = whole_numbers(a.element);
    bool is_double = a.element == ElementType::Double;
    const FloatFormat& format = format_of(a.element);
    const Adder adder = adder_of(a.element, !in_ptx);
    auto integer = [](const MatrixForm& of) { return [&](u64 bits) { return whole(u32(bits), of.element); }; };
    auto number = [&](u64 bits) { return unpack(u32(bits), format); };
    auto same = [](u64 bits) { return __builtin_bit_cast(double, bits); };
    if (is_whole)
        gather(integers.a, calls, &MatrixCall::a, a, integer(a)),
            gather(integers.b, calls, &MatrixCall::b, b, integer(b));
    else if (is_double)
        gather(doubles.a, calls, &MatrixCall::a, a, same), gather(doubles.b, calls, &MatrixCall::b, b, same);
    else gather(numbers.a, calls, &MatrixCall::a, a, number), gather(numbers.b, calls, &MatrixCall::b, b, number);
    for (u32 lane = 0; lane < 32; lane++)
        for (u32 i = 0; i < d.held(); i++) {
            u32 row, column;
            d.locate(lane, i, row, column);
            u64 sum = element_at(calls[lane]->c, i, c.bytes());
            if (is_whole) sum = multiply_whole(integers.a[row], integers.b[column], a.inner, u32(sum), saturate);
            if (is_double) sum = multiply_doubles(doubles.a[row], doubles.b[column], a.inner, sum);
            const FloatFormat* from = &format_of(c.element);
            for (u32 k = 0; !is_whole && !is_double && k < a.inner; k += adder.products, from = &format_of(d.element)) {
                u32 n = a.inner - k < adder.products ? a.inner - k : adder.products;
                sum = add_products(numbers.a[row] + k, numbers.b[column] + k, n, 2 * format.fraction, adder, u32(sum),
                                   *from, format_of(d.element));
            }
            __builtin_memcpy(calls[lane]->d + i * d.bytes(), &sum, d.bytes());
        }
}

// `ldmatrix` and `stmatrix`: of each matrix of 8 rows of 16 bytes, eight lanes give the rows' addresses, and each moves its
// row. Of the matrix as `mma` has it, a lane then holds a word; of its transpose, the elements of two rows, of 2 bytes each.
struct Rows {
    MatrixCall call;
    u32 count;
    bool turned, has_row;  // a row of its own
    Rows(unsigned form, const void* site) : count(form & 255), turned(form >> 8), has_row(current->lane < 8 * count) {
        if (count != 1 && count != 2 && count != 4) stop_crash("matrix form", site);
        call.same[0] = form, call.same[1] = call.same[2] = 0;
    }
    template <class F> void exchange(const char* function, const void* site, F move) {
        MatrixCall* calls[32];
        if (!meet(call, calls, function, site)) return;
        for (u32 lane = 0; lane < 32; lane++)
            for (u32 i = 0; i < 2 * count; i++) {
                u32 row = turned ? lane % 4 * 2 + i % 2 : lane / 4, place = turned ? lane / 4 : lane % 4 * 2 + i % 2;
                move(*calls[lane], i, *calls[i / 2 * 8 + row], place);
            }
    }
};

#pragma GCC visibility push(default)  // kernels call these
extern "C" {
void emu_load_matrix(void* x, const void* from, unsigned stride, unsigned packed, const void* site) {
    MatrixForm form = check_form(packed, site);
    meet_at_memory((u64)from, stride, form, "load_matrix_sync", site);
    u8 elements[MAX_LANE_BYTES];
    each_word((u64)from, stride, form, Action::Read, site,
              [&](u8* at, u32 i, u32 bytes) { __builtin_memcpy(elements + i, at, bytes); });
    u32 once = form.held() * form.bytes(), all = form.count * form.bytes();
    access_range((u64)x, all, Action::Write, site);
    must_be_in_window(x, all);
    for (u32 i = 0; i < all; i += once) __builtin_memcpy((u8*)x + i, elements, once);
}

// An address in shared memory as a number of 32 bits, small as on a GPU, where no other pointer is such a number: descriptors
// have 18 bits for it, and swizzles look at its lowest 10, so these are as the pointer's.
static u64 shared_base() { return shared_low & ~1023ull; }
unsigned emu_shared_address(const void* pointer) { return u32((u64)pointer - shared_base()); }
void* emu_shared_pointer(unsigned address, const void* site) {
    u64 low = shared_base(), at = (low & ~0xffffffffull) | u32(low + address);  // within the window
    if (find_array(at, 1).variable && !is_shared(at) && !is_in_slots(at)) stop_crash("address not shared", site);
    return (void*)at;
}
// For what names global memory: there, an address of another memory is one of nothing.
void emu_check_global(const void* pointer, const void* site) {
    if (in_stack(*current, (u64)pointer, 1) || is_shared((u64)pointer)) stop_crash("address not global", site);
}
// Which memory an address leads to, as prelude_ptx.h numbers them.
unsigned emu_space_of(const void* pointer) {
    u64 at = (u64)pointer;
    if (in_stack(*current, at, 1)) return 2;
    if (is_shared(at) || is_in_slots(at)) return 1;
    const Variable* v = find_array(at, 1).variable;
    return v && v->space == Space::Constant ? 3 : 0;
}
// What a texture or surface is read by must be one that the host has made.
void emu_check_object(unsigned long long object, const void* site) {
    const Variable* v = find_array(object, 1).variable;
    if (!v || !v->object || v->start != object) stop_crash("no such texture", site);
}

void emu_load_rows(void* x, unsigned address, unsigned form, const void* site) {
    Rows rows(form, site);
    if (rows.has_row) {
        u64 row = (u64)emu_shared_pointer(address, site);
        access(row, 16, Action::Read, site);
        __builtin_memcpy(rows.call.a, (const void*)row, 16);
    }
    rows.exchange("ldmatrix", site, [](MatrixCall& of_lane, u32 i, MatrixCall& of_row, u32 place) {
        __builtin_memcpy(of_lane.d + 2 * i, of_row.a + 2 * place, 2);
    });
    access_range((u64)x, 4 * rows.count, Action::Write, site);
    must_be_in_window(x, 4 * rows.count);
    __builtin_memcpy(x, rows.call.d, 4 * rows.count);
}

void emu_store_rows(const void* x, unsigned address, unsigned form, const void* site) {
    Rows rows(form, site);
    access_range((u64)x, 4 * rows.count, Action::Read, site);
    __builtin_memcpy(rows.call.a, x, 4 * rows.count);
    rows.exchange("stmatrix", site, [](MatrixCall& of_lane, u32 i, MatrixCall& of_row, u32 place) {
        __builtin_memcpy(of_row.d + 2 * place, of_lane.a + 2 * i, 2);
    });
    if (!rows.has_row) return;
    void* row = emu_shared_pointer(address, site);
    access((u64)row, 16, Action::Write, site);
    must_be_in_window(row, 16);
    __builtin_memcpy(row, rows.call.d, 16);
}

void emu_store_matrix(void* to, const void* x, unsigned stride, unsigned packed, const void* site) {
    MatrixForm form = check_form(packed, site);
    meet_at_memory((u64)to, stride, form, "store_matrix_sync", site);
    access_range((u64)x, form.count * form.bytes(), Action::Read, site);
    u8 elements[MAX_LANE_BYTES];
    __builtin_memcpy(elements, x, form.count * form.bytes());
    each_word((u64)to, stride, form, Action::Write, site, [&](u8* at, u32 i, u32 bytes) {
        must_be_in_window(at, bytes);
        __builtin_memcpy(at, elements + i, bytes);
    });
}

void emu_multiply_matrices(void* d, const void* a, const void* b, const void* c, unsigned long long forms_da,
                           unsigned long long forms_bc, int mode, const void* site) {
    MatrixForm of_d = check_form(u32(forms_da), site), of_a = check_form(u32(forms_da >> 32), site);
    MatrixForm of_b = check_form(u32(forms_bc), site), of_c = check_form(u32(forms_bc >> 32), site);
    if (of_d.outer != of_a.outer || of_d.inner != of_b.outer || of_a.inner != of_b.inner || of_a.inner > MAX_DEPTH ||
        of_c.outer != of_d.outer || of_c.inner != of_d.inner ||
        (of_a.element != of_b.element && !(whole_numbers(of_a.element) && whole_numbers(of_b.element))))
        stop_crash("matrix form", site);
    MatrixCall call, *calls[32];
    auto take = [&](u8* into, const void* x, const MatrixForm& form) {
        access_range((u64)x, form.count * form.bytes(), Action::Read, site);
        __builtin_memcpy(into, x, form.count * form.bytes());
    };
    take(call.a, a, of_a);
    take(call.b, b, of_b);
    take(call.c, c, of_c);
    Observers::matrix_product(call.a, of_a.count * of_a.bytes());
    call.same[0] = forms_da;
    call.same[1] = forms_bc;
    call.same[2] = u64(mode);
    const bool in_ptx = mode & 2;
    if (meet(call, calls, in_ptx ? "mma.sync" : "mma_sync", site))
        multiply(calls, of_d, of_a, of_b, of_c, mode & 1, in_ptx);
    access_range((u64)d, of_d.count * of_d.bytes(), Action::Write, site);
    must_be_in_window(d, of_d.count * of_d.bytes());
    __builtin_memcpy(d, call.d, of_d.count * of_d.bytes());
}
}
#pragma GCC visibility pop
