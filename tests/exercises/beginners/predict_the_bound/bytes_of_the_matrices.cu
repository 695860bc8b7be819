%%values gemm_tiled
# n x n matrices, tiles of 16 x 16
operations = 2 * n**3
bytes = 3 * n * n * 4
intensity = operations / bytes
limit = arithmetic
