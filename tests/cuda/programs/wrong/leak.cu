// finds: Leak, line 5
int main() {
    for (int i = 0; i < 3; i++) {
        int* x;
        cudaMalloc(&x, 400);
        if (i) cudaFree(x);
    }
}
