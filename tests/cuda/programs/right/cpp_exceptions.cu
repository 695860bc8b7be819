// prints: caught: vector, then 7, after 2 destructors; a bad cast; again in a thread
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>
#include <typeinfo>
#include <vector>

int destroyed = 0;

struct Guard {
    virtual ~Guard() { ++destroyed; }
};
struct Other : Guard {};

int fail(int depth) {
    Guard guard;
    if (depth == 0) throw 7;
    return fail(depth - 1) + 1;
}

int main() {
    try {
        std::vector<int>(3).at(5);
    } catch (const std::out_of_range& error) {
        printf("caught: %s, ", error.what());
    }
    try {
        fail(1);
    } catch (int number) {
        printf("then %d, after %d destructors; ", number, destroyed);
    }
    try {
        Guard guard;
        dynamic_cast<Other&>(guard);
    } catch (const std::bad_cast&) {
        printf("a bad cast; ");
    }
    std::exception_ptr kept;
    std::thread([&] {
        try {
            throw std::runtime_error("again");
        } catch (...) {
            kept = std::current_exception();
        }
    }).join();
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception& error) {
        printf("%s in a thread\n", error.what());
    }
}
