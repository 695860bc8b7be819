%%values polynomial
# n elements, 256 rounds for each
operations = 256 * n
bytes = 8 * n
intensity = operations / bytes
limit = arithmetic
