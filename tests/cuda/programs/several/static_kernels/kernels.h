#pragma once
__global__ void fill(int* x, int value, int n);
void left(int* x, int n);
void right(int* x, int n);
void (*kernel_of(int which))(int*, int, int);
