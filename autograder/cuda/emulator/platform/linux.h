// The runtime's platform on Linux, x86-64.
#pragma once
#include "linux/calls.h"
#include "linux/files.h"
#include "linux/kernel.h"
#include "linux/memory.h"
#include "linux/processes.h"
#include "linux/sandbox.h"
#include "linux/signals.h"
#include "linux/stacks.h"
