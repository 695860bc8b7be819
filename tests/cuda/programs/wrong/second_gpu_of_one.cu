// finds: UncheckedError, line 11
// says: cudaSetDevice fails with cudaErrorInvalidDevice
// says: The program sees one GPU, or as many as `--gpus` says.
// A program asks for a second GPU where there is one.
#include <cstdio>

int main()
{
    int device;

    cudaSetDevice(1);
    cudaGetDevice(&device);
    printf("%d\n", device);
}
