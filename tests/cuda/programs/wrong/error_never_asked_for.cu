// finds: UncheckedError, line 4
int main() {
    int* x;
    cudaMalloc(&x, size_t(1) << 40);
}
