// prints: 3 bytes in data.txt, gone afterwards
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace fs = std::filesystem;

int main() {
    fs::path folder = fs::temp_directory_path() / ("cpp_filesystem_" + std::to_string(getpid()));
    fs::create_directories(folder / "in");
    std::ofstream(folder / "in" / "data.txt") << "abc";
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) printf("%ju bytes in %s, ", entry.file_size(), entry.path().filename().c_str());
    fs::remove_all(folder);
    printf("%s afterwards\n", fs::exists(folder) ? "there" : "gone");
}
