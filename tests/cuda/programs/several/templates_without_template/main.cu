#include <cstdio>

int converted();

int main() {
    printf("%d\n", converted());
}
