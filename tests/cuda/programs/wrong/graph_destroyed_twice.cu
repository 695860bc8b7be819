// finds: UncheckedError, line 6
int main() {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(graph);
}
