// goal: (a) learn the time and the grader's paths and carry them out in the result: __TIME__ and friends, some made by pasting
// wanted: refused (or harmless if every one of them is a fixed text that names nothing of the machine)
#define CAT(a, b) a##b
__device__ const char* when = CAT(__TI, ME__) " " CAT(__TIME, STAMP__) " " __DATE__;
__device__ const char* where = __FILE__ " " CAT(__BASE_, FILE__);
__device__ const char* also = __builtin_FILE();
namespace std {
struct source_location {
  struct __impl { const char* _M_file_name; const char* _M_function_name; unsigned _M_line, _M_column; };
};
}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr auto* here = __builtin_source_location();
  const char* s = i < 40 ? when : i < 80 ? where : i < 120 ? also : here->_M_file_name;
  if (i < n) out[i] = s[i % 5];
}
