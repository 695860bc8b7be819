#pragma once
#include "../platform.h"
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static u32 start_processes(u64& count) {
    pid_t parent = getpid();
    for (u32 i = 1; i < count; i++) {
        pid_t child = fork();
        if (child < 0) {  // fewer, then
            count = i;
            return 0;
        }
        if (child) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        return i;
    }
    return 0;
}

static void pause_briefly() { __builtin_ia32_pause(); }
