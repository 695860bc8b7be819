// CUDA's vector types, which are the same in both halves of a program.
#pragma once
#include "prelude_vectors.h"
