// gpus: 3
// Collectives, and sends and receives, of three ranks: of one thread, and of one thread each.
#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CHECK(call) check(int(call), __LINE__)
static void check(int status, int line)
{
    if (status) printf("line %d: status %d\n", line, status), exit(1);
}

const int RANKS = 3, N = 6;
double *from[RANKS], *to[RANKS];
ncclComm_t comms[RANKS];
cudaStream_t streams[RANKS];

__global__ void fill(double* x, int first)
{
    int i = threadIdx.x;
    x[i] = (i * 7 + first * 3) % 11 - 5;
}

static void print(const char* name, int count)
{
    printf("%s", name);
    for (int rank = 0; rank < RANKS; rank++) {
        std::vector<double> here(count);
        CHECK(cudaSetDevice(rank));
        CHECK(cudaMemcpyAsync(here.data(), to[rank], count * sizeof(double), cudaMemcpyDefault, streams[rank]));
        CHECK(cudaStreamSynchronize(streams[rank]));
        for (double one : here) printf(" %.17g", one);
        fill<<<1, RANKS * N, 0, streams[rank]>>>(to[rank], 20);
    }
    printf("\n");
}

#define EACH(call)                                                                        \
    CHECK(ncclGroupStart());                                                              \
    for (int r = 0; r < RANKS; r++) CHECK(call);                                          \
    CHECK(ncclGroupEnd());

int main()
{
    int devices[] = {0, 1, 2}, version;
    CHECK(ncclGetVersion(&version));
    CHECK(ncclCommInitAll(comms, RANKS, devices));
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(cudaSetDevice(rank));
        CHECK(cudaMalloc(&from[rank], RANKS * N * sizeof(double)));
        CHECK(cudaMalloc(&to[rank], RANKS * N * sizeof(double)));
        CHECK(cudaStreamCreate(&streams[rank]));
        fill<<<1, RANKS * N, 0, streams[rank]>>>(from[rank], rank);
        fill<<<1, RANKS * N, 0, streams[rank]>>>(to[rank], 20);
    }
    const char* names[] = {"sum", "prod", "max", "min", "avg"};
    for (int op = 0; op < 5; op++) {
        EACH(ncclAllReduce(from[r], to[r], N, ncclDouble, ncclRedOp_t(op), comms[r], streams[r]));
        print(names[op], N);
    }
    EACH(ncclAllReduce(to[r], to[r], N, ncclDouble, ncclSum, comms[r], streams[r]));
    print("in_place", N);
    EACH(ncclReduce(from[r], to[r], N, ncclDouble, ncclSum, 1, comms[r], streams[r]));
    print("reduce", N);
    EACH(ncclBroadcast(from[r], to[r], N, ncclFloat64, 2, comms[r], streams[r]));
    print("broadcast", N);
    EACH(ncclBcast(r ? to[r] : from[r], N, ncclDouble, 0, comms[r], streams[r]));
    print("bcast", N);
    EACH(ncclReduceScatter(from[r], to[r], N, ncclDouble, ncclMax, comms[r], streams[r]));
    print("scatter", N);
    EACH(ncclAllGather(from[r], to[r], N, ncclDouble, comms[r], streams[r]));
    print("gather", RANKS * N);
    // (Numbers of other types: the bytes of the doubles are what they are of.)
    EACH(ncclAllReduce(from[r], to[r], 2 * N, ncclInt32, ncclAvg, comms[r], streams[r]));
    print("integers", N);
    EACH(ncclAllReduce(from[r], to[r], 4 * N, ncclHalf, ncclMin, comms[r], streams[r]));
    print("halves", N);
    // The host waits for one rank, and so for what the others have done before they sent.
    double* pinned;
    CHECK(cudaMallocHost(&pinned, N * sizeof(double)));
    CHECK(cudaSetDevice(1));
    fill<<<1, N, 0, streams[1]>>>(pinned, 1);
    EACH(ncclBroadcast(from[r], to[r], N, ncclDouble, 1, comms[r], streams[r]));
    CHECK(cudaStreamSynchronize(streams[0]));
    printf("ordered %g\n", pinned[1]);
    CHECK(cudaSetDevice(1));
    CHECK(cudaStreamSynchronize(streams[1]));
    CHECK(cudaFreeHost(pinned));
    print("sent", N);
    // What the default stream of each GPU does.
    CHECK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        CHECK(ncclSend(from[r] + r, 1, ncclDouble, (r + 1) % RANKS, comms[r], nullptr));
        CHECK(ncclRecv(to[r], 1, ncclDouble, (r + RANKS - 1) % RANKS, comms[r], nullptr));
    }
    CHECK(ncclGroupEnd());
    print("ring", 1);
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(cudaStreamSynchronize(streams[rank]));
        CHECK(ncclCommDestroy(comms[rank]));
    }

    ncclUniqueId id;
    CHECK(ncclGetUniqueId(&id));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < RANKS; rank++)
        threads.emplace_back([&, rank] {
            int me, count, device;
            ncclResult_t error;
            CHECK(cudaSetDevice(rank));
            CHECK(ncclCommInitRank(&comms[rank], RANKS, id, RANKS - 1 - rank));
            CHECK(ncclCommUserRank(comms[rank], &me));
            CHECK(ncclCommCount(comms[rank], &count));
            CHECK(ncclCommCuDevice(comms[rank], &device));
            CHECK(ncclCommGetAsyncError(comms[rank], &error) || me != RANKS - 1 - rank || count != 3 || device != rank);
            CHECK(ncclAllGather(from[rank], to[rank], 2, ncclDouble, comms[rank], streams[rank]));
            CHECK(ncclAllReduce(to[rank], to[rank] + 1, 1, ncclDouble, ncclSum, comms[rank], streams[rank]));
            CHECK(cudaStreamSynchronize(streams[rank]));
        });
    for (std::thread& thread : threads) thread.join();
    print("threads", 6);
    for (int rank = 0; rank < RANKS; rank++) {
        CHECK(cudaSetDevice(rank));
        CHECK(cudaDeviceSynchronize());
        CHECK(ncclCommDestroy(comms[rank]));
        CHECK(cudaFree(from[rank]));
        CHECK(cudaFree(to[rank]));
        CHECK(cudaStreamDestroy(streams[rank]));
    }
}
