#pragma once

#ifndef RADIUS
#error "The radius is to be given by -D."
#endif

// The mean of each element and of the one RADIUS further, on the GPU.
void blur(const float* in, float* out, int n);
