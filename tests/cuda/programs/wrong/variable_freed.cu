// finds: InvalidFree, line 7
__managed__ int x[4];

int main() {
    x[0] = 1;
    // a variable is there as long as the program
    cudaFree(x);
    return cudaGetLastError() ? 1 : 0;
}
