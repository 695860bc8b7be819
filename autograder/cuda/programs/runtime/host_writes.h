// What a function of the host's that a stream calls writes: a copy from pageable memory may come before it.
#pragma once
#include <stdint.h>

#include <vector>

namespace emulated {
// All memory that the program may write, where it is not too much, as it was. The copy is in memory of its own.
class HostWrites {
public:
    HostWrites();
    ~HostWrites();
    HostWrites(const HostWrites&) = delete;
    // The ranges that are different by now, each with its beginning and end, of whole words.
    std::vector<uint64_t> changed() const;

private:
    struct Range {
        uint64_t begin, end;
    };
    std::vector<Range> ranges_;
    uint64_t bytes_ = 0;
    char* before_ = nullptr;
};
}  // namespace emulated
