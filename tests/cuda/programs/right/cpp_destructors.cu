// prints: made first, made second, main, left by atexit, thread's, second's end, first's end, the last
#include <cstdio>
#include <cstdlib>
#include <thread>

struct Named {
    const char* name;
    explicit Named(const char* name) : name(name) { printf("made %s, ", name); }
    ~Named() { printf("%s's end, ", name); }
};
struct OfThread {
    int number = 1;
    ~OfThread() { printf("thread's, "); }
};

Named first("first");
Named second("second");
thread_local OfThread own;

// What the dynamic loader calls, after all that C++ has registered.
__attribute__((destructor)) void last() { printf("the last\n"); }

int main() {
    atexit([] {
        printf("left by atexit, ");
        std::thread([] { own.number = 2; }).join();
    });
    printf("main, ");
}
