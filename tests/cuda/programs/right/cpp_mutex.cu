// prints: 2 threads count to 20000, and one waits for a signal
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    std::once_flag once;
    int count = 0, signals = 0;
    auto work = [&] {
        for (int i = 0; i < 10000; ++i) {
            std::lock_guard<std::mutex> guard(mutex);
            ++count;
        }
        std::call_once(once, [&] { ++signals; });
        changed.notify_one();
    };
    std::thread one(work), two(work);
    {
        std::unique_lock<std::mutex> guard(mutex);
        changed.wait(guard, [&] { return count == 20000; });
    }
    one.join();
    two.join();
    printf("2 threads count to %d, and %s waits for a signal\n", count, signals == 1 ? "one" : "none");
}
