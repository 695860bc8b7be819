// An instance is the sandbox: it reaches its own memory and what the host gives it, and nothing else. It has no timer.
#pragma once
#include "../platform.h"

static u32 start_processes(u64& count) {
    count = 1;
    return 0;
}
static void pause_briefly() {}

static void (*tell_fault)(Fault, u64 site);
static void watch_process(void (*fault)(Fault, u64), void (*)(u64)) { tell_fault = fault; }
static bool seal_process() { return true; }

// The host calls this when the machine has trapped.
extern "C" __attribute__((export_name("emu_fault"))) void emu_fault(int fault) {
    tell_fault(Fault(fault), (u64)emu_site);
}
