// prints: 4 threads add up to 10, a future holds 42
#include <cstdio>
#include <future>
#include <thread>
#include <vector>

int main() {
    std::vector<int> parts(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&parts, i] { parts[i] = i + 1; });
    for (auto& thread : threads) thread.join();
    auto later = std::async(std::launch::async, [] { return 42; });
    printf("4 threads add up to %d, a future holds %d\n", parts[0] + parts[1] + parts[2] + parts[3], later.get());
}
