// arguments: two words
// prints: 3 arguments, the last is words
#include <cstdio>

int main(int argc, char** argv) {
    printf("%d arguments, the last is %s\n", argc, argv[argc - 1]);
}
