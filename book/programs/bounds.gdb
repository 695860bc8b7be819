# Stop in no_guard, step one of the threads without an element, look at its index.
set print thread-events off
set trace-commands on
break no_guard
run bounds
cuda block 3 thread 255
next
print i
print n
