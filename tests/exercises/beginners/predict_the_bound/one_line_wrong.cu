%%values scale_and_add
# n elements
operations = 2n
bytes = 12 * n
intensity = 1 / 6
limit = memory
