#include "image.hpp"
#include <iostream>

int main()
{
    Image image(12, 5);
    image.fill(1);
    image.blur();
    Image moved = std::move(image);
    moved.blur();
    double sum = 0;
    for (float pixel : moved.pixels()) sum += pixel;
    std::cout << sum << ' ' << moved.pixels()[Index{11, 4}.at(12)] << '\n';
    try {
        throw GpuError("thrown");
    } catch (const std::runtime_error& error) {
        std::cout << error.what() << '\n';
    }
}
