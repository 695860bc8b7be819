// Dispatches events to observers: resolved at compile time, in order of their turns, and only to those that take part.
#pragma once
#include "observer.h"

template <class Each>
concept says_fast_path = requires { Each::on_fast_path; };

template <bool FAST, class Each>
constexpr bool takes_part = FAST ? Each::on_fast_path == OnFastPath::TakesPart : Each::in_full_check;

#define NOTIFY(event)                                                                   \
    do {                                                                                \
        if (is_fast_path()) ((takes_part<true, All> ? (void)All::event : void()), ...); \
        else ((takes_part<false, All> ? (void)All::event : void()), ...);               \
    } while (0)
#define ANY(event) \
    (is_fast_path() ? ((takes_part<true, All> && All::event) || ...) : ((takes_part<false, All> && All::event) || ...))

#define EVENT(name) \
    template <class... Values> static ALWAYS_INLINE void name(Values&&... values) { NOTIFY(name(values...)); }
#define QUESTION(name) \
    template <class... Values> static ALWAYS_INLINE bool name(Values&&... values) { return ANY(name(values...)); }

template <class... All> struct List {
    static constexpr bool forbid_fast_path = ((All::on_fast_path == OnFastPath::Forbidden) || ...);

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

template <bool FIRST, class A, class B> struct Choose {
    using Chosen = A;
};
template <class A, class B> struct Choose<false, A, B> {
    using Chosen = B;
};
template <class First, class Rest> struct Prepend;
template <class First, class... Rest> struct Prepend<First, List<Rest...>> {
    using Listed = List<First, Rest...>;
};
template <class Added, class Sorted> struct Insert : Prepend<Added, Sorted> {};
template <class Added, class Next, class... Rest> struct Insert<Added, List<Next, Rest...>> {
    using Later = Prepend<Next, typename Insert<Added, List<Rest...>>::Listed>;
    using Listed =
        typename Choose<Added::turn <= Next::turn, Prepend<Added, List<Next, Rest...>>, Later>::Chosen::Listed;
};
// The list of these observers by their turns; those of one turn stay in their order.
template <class... All> struct ByTurn {
    using Listed = List<>;
};
template <class First, class... Rest>
struct ByTurn<First, Rest...> : Insert<First, typename ByTurn<Rest...>::Listed> {};
