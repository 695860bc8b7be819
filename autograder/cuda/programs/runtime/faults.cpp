// An address that the host may not touch: the GPU's memory, or memory that a copy or a kernel still works on. The other
// process says which it is. Where the program may go on, the memory is opened; else it ends as it would have.
#include "channel.h"
#include <signal.h>
#include <ucontext.h>

namespace emulated {
// Pages that are open for one instruction: after it, the processor's trap closes them again.
struct Opened {
    u64 page;
    int access;
};
constexpr int MOST_OPENED = 4;  // an instruction may go to several pages
constexpr greg_t TRAP = 0x100;
static thread_local Opened opened[MOST_OPENED];
static thread_local int opened_count;

static void on_trap(int, siginfo_t*, void* state) {
    while (opened_count > 0) {
        const Opened& last = opened[--opened_count];
        mprotect((void*)last.page, 4096, last.access);
    }
    ((ucontext_t*)state)->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
}

static void on_fault(int signal, siginfo_t* about, void* state) {
    greg_t* registers = ((ucontext_t*)state)->uc_mcontext.gregs;
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
        Reply reply = Channel::open().request("fault", nullptr, numbers);
        goes_on = bool(reply);
        if (reply.numbers.size() == 2 && opened_count < MOST_OPENED) {
            opened[opened_count++] = {reply[0], int(reply[1])};
            registers[REG_EFL] |= TRAP;
        }
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
    action.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &action, nullptr);
}
}  // namespace emulated
