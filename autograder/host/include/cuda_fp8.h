// The emulator's own, for both halves of a program.
#pragma once
#include "narrow_host.h"
#include "emulated/cuda_fp8.h"
