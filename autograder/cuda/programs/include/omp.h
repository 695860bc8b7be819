// OpenMP's functions for a host of one thread, where the compiler leaves its directives out.
#pragma once
#include <time.h>

typedef int omp_lock_t;

static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_num_threads(int number) { (void)number; }
static inline void omp_set_dynamic(int wanted) { (void)wanted; }
static inline void omp_set_nested(int wanted) { (void)wanted; }
static inline void omp_init_lock(omp_lock_t* lock) { *lock = 0; }
static inline void omp_set_lock(omp_lock_t* lock) { *lock = 1; }
static inline void omp_unset_lock(omp_lock_t* lock) { *lock = 0; }
static inline void omp_destroy_lock(omp_lock_t* lock) { *lock = 0; }
static inline double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}
