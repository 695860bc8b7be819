// The runtime's platform in WebAssembly: a module of 64-bit memory, run by a host in JavaScript (host/).
#pragma once
#include "wasm/host.h"
#include "wasm/memory.h"
#include "wasm/kernel.h"
#include "wasm/stacks.h"
#include "wasm/process.h"
#include "wasm/strings.h"
#include "wasm/calls.h"
