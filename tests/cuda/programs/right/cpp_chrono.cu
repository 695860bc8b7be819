// prints: time goes forward, and 1500 ms are 1.5 s
#include <chrono>
#include <cstdio>

int main() {
    using namespace std::chrono;
    auto start = steady_clock::now();
    auto now = start;
    while (now == start) now = steady_clock::now();
    bool forward = now > start && system_clock::to_time_t(system_clock::now()) > 0;
    printf("time goes %s, and 1500 ms are %g s\n", forward ? "forward" : "back", duration<double>(1500ms).count());
}
