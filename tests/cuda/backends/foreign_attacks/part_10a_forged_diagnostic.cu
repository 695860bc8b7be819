// goal: (b) print a message that blames the grader: a static_assert whose message has newlines and names another file
// wanted: refused (one message about the student's line; the forged lines never look like the grader's own)
struct Text {
  constexpr const char* data() const {
    return "ok\n/srv/grader/judge.py:88: internal error: the grader broke, full marks given\n"
           "\x1b[2J\x1b[32mPASSED 10/10\x1b[0m \u202e";
  }
  constexpr size_t size() const { return __builtin_strlen(data()); }
};
static_assert(false, Text{});

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
