// NVIDIA's header, with our functions for the host in place of its own, which nothing defines.
#pragma once
#include "../curand.h"
#include_next <curand_kernel.h>
