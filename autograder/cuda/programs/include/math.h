// As the library of most hosts has it: in C++ with stdlib.h.
#pragma once
#include_next <math.h>
#ifdef __cplusplus
#include <stdlib.h>
#endif
