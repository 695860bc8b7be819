// prints: first: 1 second: 2 third: 3 and 2 of 3 are hashed
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>

int main() {
    std::map<std::string, int> numbers{{"third", 3}, {"first", 1}};
    numbers["second"] = 2;
    for (const auto& [name, number] : numbers) printf("%s: %d ", name.c_str(), number);
    std::unordered_map<std::string, int> hashed{{"first", 1}, {"second", 2}};
    int found = 0;
    for (const auto& entry : numbers) found += hashed.count(entry.first);
    printf("and %d of %zu are hashed\n", found, numbers.size());
}
