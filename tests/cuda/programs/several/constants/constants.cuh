#pragma once
constexpr int BLOCK = 32;
static __constant__ filter the_filter; // each file has its own
