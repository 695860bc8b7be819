// Calls of cuSPARSE, each of which prints its name and what it makes; test_cusparse.py computes the same by numpy.
#include <cstdio>
#include <cstdlib>
#include <cusparse.h>
#include <vector>

#define CHECK(call)                            \
    do {                                       \
        if (int status = call) {               \
            printf("%s: %d\n", #call, status); \
            exit(1);                           \
        }                                      \
    } while (0)

std::vector<void*> allocated;
template <class T> T* room(int64_t count) {
    T* gpu;
    CHECK(cudaMalloc(&gpu, count * sizeof(T)));
    allocated.push_back(gpu);
    return gpu;
}
template <class T> T* on_gpu(const std::vector<T>& host) {
    T* gpu = room<T>(host.size());
    CHECK(cudaMemcpy(gpu, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return gpu;
}
// `count` numbers that depend on their place.
template <class T> T* numbers(int count, int first) {
    std::vector<T> host(count);
    for (int i = 0; i < count; i++) host[i] = T((i * 7 + first * 3) % 11 - 5);
    return on_gpu(host);
}
template <class T> void show(const char* name, const T* gpu, int count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), gpu, count * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (T x : host) printf(" %.9g", double(x));
    printf("\n");
}

const int ROWS = 4, COLUMNS = 5, COUNT = 9, K = 3;
const auto AS_IT_IS = CUSPARSE_OPERATION_NON_TRANSPOSE, TRANSPOSED = CUSPARSE_OPERATION_TRANSPOSE;
const auto I32 = CUSPARSE_INDEX_32I;
const auto ZERO = CUSPARSE_INDEX_BASE_ZERO, ONE = CUSPARSE_INDEX_BASE_ONE;
const auto R32 = CUDA_R_32F, R64 = CUDA_R_64F;
cusparseHandle_t handle;

cusparseDnVecDescr_t vector(float* values, int size) {
    cusparseDnVecDescr_t made;
    CHECK(cusparseCreateDnVec(&made, size, values, R32));
    return made;
}
cusparseDnMatDescr_t dense(float* values, int rows, int columns, int ld, cusparseOrder_t order) {
    cusparseDnMatDescr_t made;
    CHECK(cusparseCreateDnMat(&made, rows, columns, ld, values, R32, order));
    return made;
}

int main() {
    size_t bytes;
    CHECK(cusparseCreate(&handle));
    int *offsets = on_gpu<int>({0, 3, 3, 7, 9}), *columns = on_gpu<int>({0, 2, 4, 1, 2, 3, 4, 0, 3});
    int *rows = on_gpu<int>({1, 1, 1, 3, 3, 3, 3, 4, 4}), *from_one = on_gpu<int>({1, 3, 5, 2, 3, 4, 5, 1, 4});
    float* values = numbers<float>(COUNT, 1);
    cusparseSpMatDescr_t a, coo, csc;
    CHECK(cusparseCreateCsr(&a, ROWS, COLUMNS, COUNT, offsets, columns, values, I32, I32, ZERO, R32));
    CHECK(cusparseCreateCoo(&coo, ROWS, COLUMNS, COUNT, rows, from_one, values, I32, ONE, R32));
    // The same lists by columns are the transposed matrix.
    CHECK(cusparseCreateCsc(&csc, COLUMNS, ROWS, COUNT, offsets, columns, values, I32, I32, ZERO, R32));
    float alpha = 2, beta = 0.5, zero = 0;

    float *y = numbers<float>(ROWS, 3), *x_values = numbers<float>(COLUMNS, 2);
    cusparseDnVecDescr_t x = vector(x_values, COLUMNS), of_y = vector(y, ROWS);
    CHECK(cusparseSpMV_bufferSize(handle, AS_IT_IS, &alpha, a, x, &beta, of_y, R32, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    void* space = room<char>(bytes);
    CHECK(cusparseSpMV(handle, AS_IT_IS, &alpha, a, x, &beta, of_y, R32, CUSPARSE_SPMV_ALG_DEFAULT, space));
    show("spmv", y, ROWS);
    CHECK(cusparseSpMV(handle, TRANSPOSED, &alpha, csc, x, &zero, of_y, R32, CUSPARSE_SPMV_ALG_DEFAULT, space));
    show("spmv_csc_t", y, ROWS);
    CHECK(cusparseSpMV(handle, TRANSPOSED, &alpha, coo, of_y, &zero, x, R32, CUSPARSE_SPMV_COO_ALG1, space));
    show("spmv_coo_t", x_values, COLUMNS);

    float *b = numbers<float>(COLUMNS * 4, 4), *c = numbers<float>(6 * K, 5);
    cusparseDnMatDescr_t of_b = dense(b, COLUMNS, K, 4, CUSPARSE_ORDER_ROW),
                         of_c = dense(c, ROWS, K, 6, CUSPARSE_ORDER_COL);
    CHECK(
        cusparseSpMM(handle, AS_IT_IS, AS_IT_IS, &alpha, a, of_b, &beta, of_c, R32, CUSPARSE_SPMM_ALG_DEFAULT, space));
    show("spmm", c, 6 * K);
    float *left = numbers<float>(ROWS * K, 6), *right = numbers<float>(K * COLUMNS, 7);
    cusparseDnMatDescr_t of_left = dense(left, ROWS, K, K, CUSPARSE_ORDER_ROW);
    cusparseDnMatDescr_t of_right = dense(right, COLUMNS, K, K, CUSPARSE_ORDER_ROW);
    float* sampled = numbers<float>(COUNT, 8);
    CHECK(cusparseSpMatSetValues(a, sampled));
    CHECK(cusparseSDDMM(handle, AS_IT_IS, TRANSPOSED, &alpha, of_left, of_right, &beta, a, R32,
                        CUSPARSE_SDDMM_ALG_DEFAULT, space));
    show("sddmm", sampled, COUNT);
    CHECK(cusparseSpMatSetValues(a, values));

    // The product of a matrix with another, whose number of elements is not known before.
    cusparseSpMatDescr_t product;
    cusparseSpGEMMDescr_t work;
    int* product_offsets;
    product_offsets = room<int>(5);
    int *b_offsets = on_gpu<int>({0, 1, 2, 4, 5, 6}), *b_columns = on_gpu<int>({1, 0, 0, 2, 2, 1});
    float* b_values = numbers<float>(6, 9);
    cusparseSpMatDescr_t other;
    CHECK(cusparseCreateCsr(&other, COLUMNS, K, 6, b_offsets, b_columns, b_values, I32, I32, ZERO, R32));
    CHECK(cusparseCreateCsr(&product, ROWS, K, 0, product_offsets, nullptr, nullptr, I32, I32, ZERO, R32));
    CHECK(cusparseSpGEMM_createDescr(&work));
    const auto DEFAULT = CUSPARSE_SPGEMM_DEFAULT;
    size_t more;
    CHECK(cusparseSpGEMM_workEstimation(handle, AS_IT_IS, AS_IT_IS, &alpha, a, other, &zero, product, R32, DEFAULT,
                                        work, &more, nullptr));
    CHECK(cusparseSpGEMM_workEstimation(handle, AS_IT_IS, AS_IT_IS, &alpha, a, other, &zero, product, R32, DEFAULT,
                                        work, &more, space));
    CHECK(cusparseSpGEMM_compute(handle, AS_IT_IS, AS_IT_IS, &alpha, a, other, &zero, product, R32, DEFAULT, work,
                                 &more, nullptr));
    CHECK(cusparseSpGEMM_compute(handle, AS_IT_IS, AS_IT_IS, &alpha, a, other, &zero, product, R32, DEFAULT, work,
                                 &more, space));
    int64_t height, width, count;
    CHECK(cusparseSpMatGetSize(product, &height, &width, &count));
    int* product_columns;
    float* product_values;
    product_columns = room<int>(count);
    product_values = room<float>(count);
    CHECK(cusparseCsrSetPointers(product, product_offsets, product_columns, product_values));
    CHECK(cusparseSpGEMM_copy(handle, AS_IT_IS, AS_IT_IS, &alpha, a, other, &zero, product, R32, DEFAULT, work));
    printf("size %d %d %d\n", int(height), int(width), int(count));
    float* whole;
    whole = room<float>(ROWS * K);
    cusparseDnMatDescr_t of_whole = dense(whole, ROWS, K, K, CUSPARSE_ORDER_ROW);
    CHECK(cusparseSparseToDense(handle, product, of_whole, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, space));
    show("spgemm", whole, ROWS * K);
    CHECK(cusparseSpGEMM_destroyDescr(work));

    cusparseSpMatDescr_t back;
    int* back_offsets;
    back_offsets = room<int>(K + 1);
    CHECK(cusparseCreateCsc(&back, ROWS, K, 0, back_offsets, nullptr, nullptr, I32, I32, ONE, R32));
    CHECK(cusparseDenseToSparse_analysis(handle, of_whole, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, space));
    CHECK(cusparseSpMatGetSize(back, &height, &width, &count));
    product_columns = room<int>(count);
    product_values = room<float>(count);
    CHECK(cusparseCscSetPointers(back, back_offsets, product_columns, product_values));
    CHECK(cusparseDenseToSparse_convert(handle, of_whole, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, space));
    show("csc_offsets", back_offsets, K + 1);
    show("csc_rows", product_columns, count);
    show("csc_values", product_values, count);

    // A triangular system of doubles; of its matrix, the upper half is not used.
    double* l_values = on_gpu<double>({2, 9, 1, 4, 9, 3, 5, 1, 8});
    int *l_offsets = on_gpu<int>({0, 2, 5, 7, 9}), *l_columns = on_gpu<int>({0, 3, 0, 1, 2, 1, 2, 0, 3});
    cusparseSpMatDescr_t triangle;
    CHECK(cusparseCreateCsr(&triangle, 4, 4, 9, l_offsets, l_columns, l_values, I32, I32, ZERO, R64));
    double *given = numbers<double>(4, 1), *solved, twice = 2;
    solved = room<double>(4);
    cusparseDnVecDescr_t of_given, of_solved;
    CHECK(cusparseCreateDnVec(&of_given, 4, given, R64));
    CHECK(cusparseCreateDnVec(&of_solved, 4, solved, R64));
    cusparseSpSVDescr_t plan;
    CHECK(cusparseSpSV_createDescr(&plan));
    for (auto operation : {AS_IT_IS, TRANSPOSED}) {
        CHECK(cusparseSpSV_analysis(handle, operation, &twice, triangle, of_given, of_solved, R64,
                                    CUSPARSE_SPSV_ALG_DEFAULT, plan, space));
        CHECK(cusparseSpSV_solve(handle, operation, &twice, triangle, of_given, of_solved, R64,
                                 CUSPARSE_SPSV_ALG_DEFAULT, plan));
        show(operation == AS_IT_IS ? "spsv" : "spsv_t", solved, 4);
    }
    CHECK(cusparseSpSV_destroyDescr(plan));

    // An incomplete factorization of a matrix of three diagonals is its complete one.
    double* f_values = on_gpu<double>({4, -1, -2, 5, -1, -2, 6});
    int *f_offsets = on_gpu<int>({1, 3, 6, 8}), *f_columns = on_gpu<int>({1, 2, 1, 2, 3, 2, 3});
    cusparseMatDescr_t kind;
    csrilu02Info_t info;
    CHECK(cusparseCreateMatDescr(&kind));
    CHECK(cusparseSetMatIndexBase(kind, ONE));
    CHECK(cusparseCreateCsrilu02Info(&info));
    const auto POLICY = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
    CHECK(cusparseDcsrilu02_analysis(handle, 3, 7, kind, f_values, f_offsets, f_columns, info, POLICY, space));
    CHECK(cusparseDcsrilu02(handle, 3, 7, kind, f_values, f_offsets, f_columns, info, POLICY, space));
    int pivot;
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    show("ilu", f_values, 7);
    printf("kind %d %d\n", cusparseGetMatIndexBase(kind), pivot);
    CHECK(cusparseDestroyCsrilu02Info(info));
    CHECK(cusparseDestroyMatDescr(kind));

    int* made;
    made = room<int>(COUNT);
    CHECK(cusparseXcoo2csr(handle, rows, COUNT, ROWS, made, ONE));
    show("coo2csr", made, ROWS + 1);
    CHECK(cusparseXcsr2coo(handle, offsets, COUNT, ROWS, made, ZERO));
    show("csr2coo", made, COUNT);

    int* places = on_gpu<int>({4, 1});
    float *few = on_gpu<float>({10, 20}), *dots = numbers<float>(1, 0);
    cusparseSpVecDescr_t of_few;
    CHECK(cusparseCreateSpVec(&of_few, COLUMNS, 2, places, few, I32, ZERO, R32));
    float* axpby = numbers<float>(COLUMNS, 2);
    cusparseDnVecDescr_t of_axpby = vector(axpby, COLUMNS);
    CHECK(cusparseAxpby(handle, &alpha, of_few, &beta, of_axpby));
    show("axpby", axpby, COLUMNS);
    float dot;
    CHECK(cusparseSpVV(handle, AS_IT_IS, of_few, of_axpby, &dot, R32, space));
    printf("dot %g\n", dot);
    CHECK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    CHECK(cusparseSpVV(handle, AS_IT_IS, of_few, of_axpby, dots, R32, space));
    show("dot_on_gpu", dots, 1);
    CHECK(cusparseGather(handle, of_axpby, of_few));
    show("gather", few, 2);

    cusparseConstDnVecDescr_t constant;
    CHECK(cusparseCreateConstDnVec(&constant, ROWS, y, R32));
    const void* address;
    CHECK(cusparseConstDnVecGetValues(constant, &address));
    printf("constant %d %s\n", address == y, cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT));

    for (auto matrix : {a, coo, csc, other, product, back, triangle}) CHECK(cusparseDestroySpMat(matrix));
    for (auto matrix : {of_b, of_c, of_left, of_right, of_whole}) CHECK(cusparseDestroyDnMat(matrix));
    for (auto one : {x, of_y, of_given, of_solved, of_axpby}) CHECK(cusparseDestroyDnVec(one));
    CHECK(cusparseDestroyDnVec(constant));
    CHECK(cusparseDestroySpVec(of_few));
    CHECK(cusparseDestroy(handle));
    for (void* memory : allocated) CHECK(cudaFree(memory));
}
