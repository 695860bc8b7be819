// finds: OutOfBounds, line 15
// says: through a null pointer
struct Table {
    int entries[1 << 20];
};
__global__ void make(Table** tables)
{
    for (int i = 0; i < 4; i++) (tables[i] = new Table)->entries[i] = i;
}

int main()
{
    Table** tables;
    if (cudaMalloc(&tables, 4 * sizeof *tables)) return 1;
    make<<<1, 1>>>(tables);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(tables);
}
