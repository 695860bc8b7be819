#pragma once
#include <vector>

float sum(const std::vector<float>& values);
int largest(const std::vector<int>& values);
float scaled_sum(const std::vector<float>& values, float by);
