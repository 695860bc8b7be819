%%values rounds_together
# n rounds, 64 threads
waits = 2 * n
%%values halves
# n rounds, 64 threads
waits = 1 + n
%%values relay
# n rounds, n >= 3; 32 threads that copy and 64 that read
waits = 1 + n
%%values one_for_all
# n rounds, 32 threads that copy and 32 that read
waits = 1 + n
