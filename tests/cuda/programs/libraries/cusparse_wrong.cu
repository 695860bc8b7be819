// Mistakes in calls of cuSPARSE, one for each argument; test_cusparse.py says what is found in which line.
#include <cstdio>
#include <cstring>
#include <cusparse.h>

const int N = 4, COUNT = 6;
int *offsets, *columns;
float *values, *x, *y;
cusparseHandle_t handle;
cusparseSpMatDescr_t matrix;
cusparseDnVecDescr_t of_x, of_y;
void* buffer;

int multiply(float beta = 0, const float* on_gpu = nullptr) {
    float one = 1;
    const float* alpha = on_gpu ? on_gpu : &one;
    const auto how = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
    return cusparseSpMV(handle, how, alpha, matrix, of_x, &beta, of_y, CUDA_R_32F, algorithm, buffer);  // multiplies
}

int main(int argc, char** argv) {
    auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    int of_rows[] = {0, 2, 3, 4, 6}, of_columns[] = {0, 1, 2, 0, 1, 3};
    float host[COUNT] = {1, 2, 3, 4, 5, 6}, result = 0;
    if (is("column")) of_columns[2] = 4;
    if (is("offset")) of_rows[4] = 9;
    cudaMalloc(&offsets, sizeof of_rows);
    cudaMalloc(&columns, sizeof of_columns + 4);
    cudaMalloc(&values, sizeof host);
    cudaMalloc(&x, N * sizeof(float));
    cudaMalloc(&y, N * sizeof(float));
    cudaMemcpy(offsets, of_rows, sizeof of_rows, cudaMemcpyHostToDevice);
    cudaMemset(columns, 0, sizeof of_columns + 4);
    cudaMemcpy(columns, of_columns, sizeof of_columns, cudaMemcpyHostToDevice);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(x, host, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaStream_t stream, other;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);

    if (!is("no_handle")) cusparseCreate(&handle);
    int count = is("count") ? COUNT + 1 : COUNT, size = is("short_x") ? N - 1 : N;
    const auto base = is("base") ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    if (is("base")) {
        int from_one[] = {1, 3, 4, 5, 7};
        cudaMemcpy(offsets, from_one, sizeof from_one, cudaMemcpyHostToDevice);
    }
    cusparseCreateCsr(&matrix, N, N, count, offsets, columns, is("host_values") ? host : values, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, base, CUDA_R_32F);
    cusparseCreateDnVec(&of_x, size, x, CUDA_R_32F);
    cusparseCreateDnVec(&of_y, N, y, CUDA_R_32F);
    float one = 1;
    size_t bytes;
    cudaMalloc(&buffer, 256);
    if (handle)
        cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, of_x, &one, of_y, CUDA_R_32F,
                                CUSPARSE_SPMV_ALG_DEFAULT, &bytes);

    void* work = buffer;
    char pageable[256];
    if (is("host_buffer")) buffer = pageable;
    int status = 0;
    if (is("freed")) cudaFree(x);
    if (is("destroyed")) cusparseDestroySpMat(matrix);
    if (is("two_streams") || is("read_too_early")) cusparseSetStream(handle, stream);
    if (is("small_ld")) {
        cusparseDnMatDescr_t dense = nullptr;
        status = cusparseCreateDnMat(&dense, N, 1, N - 1, x, CUDA_R_32F, CUSPARSE_ORDER_COL);  // dense
    } else if (is("no_analysis")) {
        cusparseSpSVDescr_t plan;
        cusparseSpSV_createDescr(&plan);
        const auto how = CUSPARSE_OPERATION_NON_TRANSPOSE;
        const auto algorithm = CUSPARSE_SPSV_ALG_DEFAULT;
        status = cusparseSpSV_solve(handle, how, &one, matrix, of_x, of_y, CUDA_R_32F, algorithm, plan);  // solves
        cusparseSpSV_destroyDescr(plan);
    } else {
        status = multiply(is("unwritten"), is("alpha_on_gpu") ? x : nullptr);
    }
    if (is("two_streams")) cudaMemsetAsync(y, 0, N * sizeof(float), other);  // races
    float made[N] = {};
    if (is("read_too_early")) cudaMemcpy(made, y, sizeof made, cudaMemcpyDeviceToHost);  // reads
    cudaGetLastError();
    if (cudaDeviceSynchronize() && !status) status = -1;
    if (is("right")) {
        cudaMemcpy(made, y, sizeof made, cudaMemcpyDeviceToHost);
        for (float one : made) result += one;
    }
    if (!is("destroyed")) cusparseDestroySpMat(matrix);
    cusparseDestroyDnVec(of_x), cusparseDestroyDnVec(of_y);
    if (handle) cusparseDestroy(handle);
    for (void* memory : {(void*)offsets, (void*)columns, (void*)values, (void*)y, work}) cudaFree(memory);
    if (!is("freed")) cudaFree(x);
    cudaStreamDestroy(stream), cudaStreamDestroy(other);
    printf("%d %g\n", status, result);
}
