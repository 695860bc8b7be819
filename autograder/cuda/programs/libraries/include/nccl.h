// NCCL: what ranks of one process do together. cuda/programs/libraries/nccl.py computes.
#pragma once
#include "emu_library.h"
#include <sys/syscall.h>
#include <unistd.h>

#define NCCL_H_
#define NCCL_MAJOR 2
#define NCCL_MINOR 27
#define NCCL_PATCH 3
#define NCCL_VERSION_CODE 22703
#define NCCL_VERSION(major, minor, patch) ((major) * 10000 + (minor) * 100 + (patch))
#define NCCL_UNIQUE_ID_BYTES 128

typedef struct ncclComm* ncclComm_t;
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;
typedef enum {
    ncclSuccess,
    ncclUnhandledCudaError,
    ncclSystemError,
    ncclInternalError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress,
    ncclNumResults
} ncclResult_t;
typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps } ncclRedOp_t;
typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes
} ncclDataType_t;

EMU_SENT const char* ncclGetErrorString(ncclResult_t result) {
    static const char* const texts[] = {
        "no error",         "unhandled cuda error", "unhandled system error", "internal error",
        "invalid argument", "invalid usage",        "remote process exited",  "NCCL operation in progress"};
    return unsigned(result) < ncclNumResults ? texts[result] : "unknown result code";
}
EMU_SENT const char* ncclGetLastError(ncclComm_t) { return ""; }

// The thread that calls; and a call which ends once all ranks have made theirs: meanwhile, other threads may.
EMU_SENT long emu_thread() { return syscall(SYS_gettid); }
EMU_SENT ncclResult_t emu_nccl(int status) {
    while (status < 0) {
        usleep(200);
        status = emu_library("nccl wait", emu_thread());
    }
    return ncclResult_t(status);
}
#define EMU_NCCL(name, parameters, ...)                                                       \
    EMU_SENT ncclResult_t name parameters {                                                   \
        return emu_nccl(emu_library("nccl " #name, emu_thread() __VA_OPT__(, ) __VA_ARGS__)); \
    }
EMU_NCCL(ncclGetVersion, (int* version), version)
EMU_NCCL(ncclGetUniqueId, (ncclUniqueId * id), id)
EMU_NCCL(ncclCommInitAll, (ncclComm_t * comms, int count, const int* devices = nullptr), comms, count, devices)
EMU_NCCL(ncclCommInitRank, (ncclComm_t * comm, int ranks, ncclUniqueId id, int rank), comm, ranks,
         *(const long*)id.internal, rank)
EMU_NCCL(ncclCommFinalize, (ncclComm_t comm), comm)
EMU_NCCL(ncclCommDestroy, (ncclComm_t comm), comm)
EMU_NCCL(ncclCommAbort, (ncclComm_t comm), comm)
EMU_NCCL(ncclCommCount, (ncclComm_t comm, int* count), comm, count)
EMU_NCCL(ncclCommCuDevice, (ncclComm_t comm, int* device), comm, device)
EMU_NCCL(ncclCommUserRank, (ncclComm_t comm, int* rank), comm, rank)
EMU_NCCL(ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t* error), comm, error)
EMU_NCCL(ncclGroupStart, ())
EMU_NCCL(ncclGroupEnd, ())

#define EMU_TYPED_COUNT size_t count, ncclDataType_t type
#define EMU_IN_STREAM ncclComm_t comm, cudaStream_t stream
EMU_NCCL(ncclAllReduce, (const void* from, void* to, EMU_TYPED_COUNT, ncclRedOp_t op, EMU_IN_STREAM), from, to, count,
         type, op, 0, comm, stream)
EMU_NCCL(ncclReduce, (const void* from, void* to, EMU_TYPED_COUNT, ncclRedOp_t op, int root, EMU_IN_STREAM), from, to,
         count, type, op, root, comm, stream)
EMU_NCCL(ncclBroadcast, (const void* from, void* to, EMU_TYPED_COUNT, int root, EMU_IN_STREAM), from, to, count, type,
         0, root, comm, stream)
EMU_NCCL(ncclBcast, (void* buffer, EMU_TYPED_COUNT, int root, EMU_IN_STREAM), buffer, buffer, count, type, 0, root,
         comm, stream)
EMU_NCCL(ncclReduceScatter, (const void* from, void* to, EMU_TYPED_COUNT, ncclRedOp_t op, EMU_IN_STREAM), from, to,
         count, type, op, 0, comm, stream)
EMU_NCCL(ncclAllGather, (const void* from, void* to, EMU_TYPED_COUNT, EMU_IN_STREAM), from, to, count, type, 0, 0, comm,
         stream)
EMU_NCCL(ncclSend, (const void* from, EMU_TYPED_COUNT, int peer, EMU_IN_STREAM), from, 0, count, type, 0, peer, comm,
         stream)
EMU_NCCL(ncclRecv, (void* to, EMU_TYPED_COUNT, int peer, EMU_IN_STREAM), 0, to, count, type, 0, peer, comm, stream)
#undef EMU_TYPED_COUNT
#undef EMU_IN_STREAM
