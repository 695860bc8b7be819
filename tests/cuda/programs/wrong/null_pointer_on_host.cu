// finds: HostCrash, line 3
int main(int argc, char**) {
    volatile int* x = argc > 5 ? &argc : nullptr; *x = 1;
}
