// The primitives; the class of this header lives in a namespace for experiments, which is not here.
#pragma once
#include "cuda_pipeline_primitives.h"
