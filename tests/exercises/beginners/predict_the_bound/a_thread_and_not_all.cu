%%values scale_and_add
# n elements
operations = 2
bytes = 12
intensity = operations / bytes
limit = memory
