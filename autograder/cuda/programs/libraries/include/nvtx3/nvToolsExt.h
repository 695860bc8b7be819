// NVTX.
#pragma once
#include <nvToolsExt.h>
