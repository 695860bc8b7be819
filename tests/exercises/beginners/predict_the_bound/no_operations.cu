%%values turn
# an n x n matrix, tiles of 32 x 32
operations = n * n
bytes = n * n * 4
intensity = 1 / 4
limit = "memory"
