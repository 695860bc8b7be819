// How observers are told: at compile time, in their order, and only those that take part in this run.
#pragma once
#include "observer.h"

template <bool SCREENING, class Each> constexpr bool takes_part = SCREENING ? Each::in_screening : Each::in_precise;

#define TELL(event)                                                                     \
    do {                                                                                \
        if (is_screening()) ((takes_part<true, All> ? (void)All::event : void()), ...); \
        else ((takes_part<false, All> ? (void)All::event : void()), ...);               \
    } while (0)
#define ASK(event) \
    (is_screening() ? ((takes_part<true, All> && All::event) || ...) : ((takes_part<false, All> && All::event) || ...))

#define EVENT(name) \
    template <class... Values> static ALWAYS_INLINE void name(Values&&... values) { TELL(name(values...)); }
#define QUESTION(name) \
    template <class... Values> static ALWAYS_INLINE bool name(Values&&... values) { return ASK(name(values...)); }

template <class... All> struct List {
    EVENT(prepare);
    EVENT(start_worker);
    EVENT(finish_workers);
    EVENT(join_worker);
    EVENT(finish);
    static void fill_answer() { (All::fill_answer(), ...); }  // an answer has all its parts, whichever run it was

    EVENT(begin_block);
    EVENT(end_block);
    EVENT(put_block_aside);
    EVENT(take_block_up);
    EVENT(begin_slice);
    EVENT(begin_next_slice);
    EVENT(settle);
    EVENT(end_thread);
    EVENT(end_pass);

    EVENT(issue);
    EVENT(access);
    EVENT(access_remotely);
    EVENT(read_constant);
    EVENT(load_read_only);
    QUESTION(goes_on_as_before);
    QUESTION(access_stack);
    EVENT(access_nowhere);
    static u64 extra_steps() { return (All::extra_steps() + ... + 0); }
    EVENT(begin_local);
    EVENT(end_local);
    EVENT(use_unset);
    EVENT(step);
    EVENT(declare);
    EVENT(begin_heap_block);

    EVENT(wait_at_barrier);
    EVENT(leave_barrier);
    EVENT(pass_barrier);
    EVENT(open_barrier);
    EVENT(open_grid_barrier);
    EVENT(await_earlier_grid);
    EVENT(arrive_at_cluster);
    EVENT(open_cluster_barrier);
    EVENT(go_past_cluster);
    EVENT(warp_operation);
    EVENT(matrix_product);
    EVENT(synchronize_warp);
    EVENT(undefined_value);
    EVENT(after_atomic);
    EVENT(compare_and_swap);
    EVENT(fence);
    EVENT(release);
    EVENT(acquire);

    EVENT(launch_child);

    EVENT(fence_registers);
    EVENT(take_register);
    EVENT(give_register);
    EVENT(lend_register);
    EVENT(return_register);

    EVENT(start_copy);
    EVENT(land);
    EVENT(await_copy);
    EVENT(drop_copy);
    EVENT(start_bulk_copy);
    EVENT(complete_at_mbarrier);
    EVENT(await_bulk_copies);
    EVENT(leave_bulk_copy);
    EVENT(fence_maps);
    EVENT(fence_proxy);
};
