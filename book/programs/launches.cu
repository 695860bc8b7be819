// Many small launches that depend on each other, in three ways: one after the other, overlapping, and as a graph.
// For compute capability 9.0 and later: nvcc -arch=sm_90 -o launches launches.cu
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// Ends the program with a message if a CUDA function fails.
#define CHECK(call)                                            \
    do {                                                       \
        cudaError_t code = (call);                             \
        if (code != cudaSuccess) {                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
                    cudaGetErrorString(code));                 \
            exit(1);                                           \
        }                                                      \
    } while (0)

const int N = 1 << 16, BLOCK = 256, GRID = N / BLOCK, STEPS = 1000;

// Each element becomes the mean of itself and its right neighbor.
__global__ void step(const float* in, float* out)
{
    cudaTriggerProgrammaticLaunchCompletion();  // the next launch may begin
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    int right = (i + 1) % N;

    cudaGridDependencySynchronize();            // the launch before has ended
    out[i] = (in[i] + in[right]) / 2;
}

void one_after_the_other(float* in, float* out, cudaStream_t stream)
{
    for (int k = 0; k < STEPS; ++k) {
        step<<<GRID, BLOCK, 0, stream>>>(in, out);
        std::swap(in, out);
    }
    CHECK(cudaGetLastError());
}

void overlapping(float* in, float* out, cudaStream_t stream)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;

    cudaLaunchConfig_t config = {};
    config.gridDim = GRID;
    config.blockDim = BLOCK;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;

    for (int k = 0; k < STEPS; ++k) {
        CHECK(cudaLaunchKernelEx(&config, step, (const float*)in, out));
        std::swap(in, out);
    }
}

void as_a_graph(float* in, float* out, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    one_after_the_other(in, out, stream);       // nothing runs yet
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));

    CHECK(cudaGraphLaunch(ready, stream));      // all 1000 launches
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    std::vector<float> first(N), results[3];
    for (int i = 0; i < N; ++i)
        first[i] = i % 97;

    float *in, *out;
    cudaStream_t stream;
    CHECK(cudaMalloc(&in, N * sizeof(float)));
    CHECK(cudaMalloc(&out, N * sizeof(float)));
    CHECK(cudaStreamCreate(&stream));

    void (*ways[])(float*, float*, cudaStream_t) = {one_after_the_other, overlapping, as_a_graph};
    for (int way = 0; way < 3; ++way) {
        results[way].resize(N);
        CHECK(cudaMemcpy(in, first.data(), N * sizeof(float), cudaMemcpyHostToDevice));
        ways[way](in, out, stream);
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(results[way].data(), in, N * sizeof(float), cudaMemcpyDeviceToHost));
    }
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));

    bool same = results[1] == results[0] && results[2] == results[0];
    printf("%s\n", same ? "three ways, one result" : "the results differ");
    return !same;
}
