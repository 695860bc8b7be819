// Attacks of a program on whoever runs it: `program FILE NAME ...` tries some, and says of each whether it got through.
// Each is harmless even then. `program NAME` takes too much of something.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

typedef unsigned long long u64;

static void* volatile kept;

static void send(const char* name, u64 numbers, u64 content, u64 gpu = 0) {
    u64 head[] = {strlen(name), numbers, content, 0, gpu, 0};
    for (int file = 3; file < 60; ++file) {
        write(file, head, sizeof head);
        write(file, name, strlen(name));
    }
}

// Whether the attack on `file` (in a folder of its own) got through.
static bool attack(const char* name, const char* file) {
    char other[4000];
    snprintf(other, sizeof other, "%s.new", file);
    auto is = [&](const char* word) { return !strcmp(name, word); };
    if (is("writes a file")) return open(file, O_WRONLY) >= 0;
    if (is("writes a file by the old call")) return syscall(SYS_open, file, O_RDWR) >= 0;
    if (is("empties a file")) return open(file, O_RDONLY | O_TRUNC) >= 0;
    if (is("makes a file")) return open(other, O_CREAT | O_RDONLY, 0600) >= 0 || creat(other, 0600) >= 0;
    if (is("makes a file without a name")) return syscall(SYS_memfd_create, "x", 0) >= 0;
    if (is("removes a file")) return unlink(file) == 0;
    if (is("moves a file")) return rename(file, other) == 0;
    if (is("links a file")) return symlink(file, other) == 0 || link(file, other) == 0;
    if (is("makes a folder")) return mkdir(other, 0700) == 0;
    if (is("opens a file for all")) return chmod(file, 0777) == 0;
    if (is("signals another process")) return kill(1, 0) == 0 || syscall(SYS_tgkill, 1, 1, 0) == 0;
    if (is("looks into another process")) return syscall(SYS_ptrace, 16, 1, 0, 0) == 0 || errno != EPERM;
    if (is("makes a process")) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        return child > 0;
    }
    if (is("makes a thread")) {
        try {
            std::thread([] {}).join();
            return true;
        } catch (...) {
            return false;
        }
    }
    if (is("makes a socket")) return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    if (is("lifts a limit")) {
        rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
        return setrlimit(RLIMIT_CPU, &most) == 0;
    }
    if (is("shortens the memory")) {
        bool shorter = false;
        for (int file = 0; file < 20; ++file) shorter |= ftruncate(file, 0) == 0;
        return shorter;
    }
    if (is("starts a shell")) {
        const char* says = "echo x > \"$0\" && echo starts a shell: escaped || echo starts a shell: kept in";
        execl("/bin/sh", "sh", "-c", says, other, nullptr);
    }
    if (is("fills the memory")) {
        size_t got = 0;
        for (; got < (8ul << 30) && (kept = malloc(1 << 26)); got += 1 << 26) memset(kept, 1, 4096);
        return got >= 8ul << 30;
    }
    return false;
}

// What the program is stopped for, by name.
static void misbehave(const char* name) {
    auto is = [&](const char* word) { return !strcmp(name, word); };
    if (is("prints"))
        for (;;) puts("again and again");
    if (is("computes"))
        for (volatile int i = 0;; ++i);
    if (is("sleeps")) sleep(1000);
    if (is("calls"))
        for (;;) cudaGetLastError();
    if (is("sends bytes"))
        for (int file = 3; file < 60; ++file) write(file, std::string(400, '.').data(), 400);
    if (is("sends a name that is none")) send("cudaNoSuchCall", 0, 0);
    if (is("sends a name that is no text")) send("\xff\xfe", 0, 0);
    if (is("sends a call without its numbers")) send("cudaMemcpy", 0, 0);
    if (is("sends a call of no GPU")) send("cudaDeviceSynchronize", 0, 0, 1ull << 40);
    if (is("sends a call without an end")) send("cudaMemcpy", 1ull << 60, 1ull << 60);
    sleep(1000);
}

int main(int argc, char** argv) {
    if (argc == 2) misbehave(argv[1]);
    for (int i = 2; i < argc; ++i) {
        printf("%s: %s\n", argv[i], attack(argv[i], argv[1]) ? "escaped" : "kept in");
        fflush(stdout);
    }
    return 0;
}
