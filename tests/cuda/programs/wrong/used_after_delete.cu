// finds: Crash, line 24
// says: The launch ended with an error: memory is used that free or delete has released.
struct Node {
    int value;
    Node* next;
};

__global__ void make(Node** list)
{
    for (int i = 0; i < 3; i++) *list = new Node{i, i ? *list : nullptr};
}

__global__ void drop(Node** list)
{
    for (Node* node = *list; node; node = node->next) delete node;
}

int main()
{
    Node** list;
    if (cudaMalloc(&list, sizeof *list)) return 1;
    make<<<1, 1>>>(list);
    if (cudaDeviceSynchronize()) return 1;
    drop<<<1, 1>>>(list);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(list);
}
