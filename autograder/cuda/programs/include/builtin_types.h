// The types that both APIs share.
#pragma once
#include <cuda_runtime_api.h>
