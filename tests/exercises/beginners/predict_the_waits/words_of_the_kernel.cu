%%values relay
# n rounds, n >= 3; 32 threads that copy and 64 that read
waits = blockDim.x * n
