// An address that the host may not touch: the GPU's memory, or memory that a copy or a kernel still works on. The other
// process says which it is. Where the program may go on, the memory is opened; else it ends as it would have.
#include "channel.h"
#include <signal.h>
#include <ucontext.h>

namespace emulated {
static void on_fault(int signal, siginfo_t* about, void* state) {
    const greg_t* registers = ((ucontext_t*)state)->uc_mcontext.gregs;
    bool writes = registers[REG_ERR] & 2;
    // In a library, the program's own place is further up.
    std::vector<u64> numbers = {(u64)about->si_addr, writes, u64(signal), u64(registers[REG_RIP])};
    numbers.push_back(*(const u64*)registers[REG_RSP]);
    const u64* frame = (const u64*)registers[REG_RBP];
    for (int i = 0; i < 8 && (u64)frame > (u64)registers[REG_RSP] && (u64)frame % 8 == 0; i++) {
        numbers.push_back(frame[1]);
        if (frame[0] <= (u64)frame) break;
        frame = (const u64*)frame[0];
    }
    static thread_local bool twice;
    bool goes_on = false;
    if (!twice) {
        twice = true;
        goes_on = bool(Channel::open().ask("fault", nullptr, numbers));
        twice = false;
    }
    if (!goes_on) ::signal(signal, SIG_DFL);  // the instruction faults once more, for good
}

__attribute__((constructor)) static void watch() {
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    sigaction(SIGFPE, &action, nullptr);
}
}  // namespace emulated
