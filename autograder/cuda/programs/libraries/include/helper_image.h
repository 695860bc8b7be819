// Images of one byte a pixel (PGM) or three (PPM), files of numbers, and comparisons, as NVIDIA's samples have them.
#pragma once
#include "helper_string.h"
#include <math.h>

#include <algorithm>
#include <fstream>
#include <vector>

// Reads an image of `channels` bytes a pixel into `wanted` ones, of which the others are 255.
template <class T>
inline bool emu_load_image(const char* name, T** data, unsigned* width, unsigned* height, int channels, int wanted) {
    std::ifstream file(name, std::ios::binary);
    auto word = [&] {  // without comments
        std::string text;
        while (file >> text && text[0] == '#') std::getline(file, text);
        return text;
    };
    if (word() != (channels == 1 ? "P5" : "P6")) return fprintf(stderr, "%s is no such image.\n", name), false;
    unsigned columns = unsigned(atoi(word().c_str())), rows = unsigned(atoi(word().c_str()));
    float scale = sizeof(T) == 1 ? 1 : 1 / 255.0f;
    word();
    file.get();
    std::vector<unsigned char> bytes(size_t(columns) * rows * size_t(channels));
    if (!file.read((char*)bytes.data(), long(bytes.size()))) return false;
    if (*data && (*width != columns || *height != rows)) return fprintf(stderr, "%s has another size.\n", name), false;
    if (!*data) *data = (T*)malloc(size_t(columns) * rows * size_t(wanted) * sizeof(T));
    *width = columns, *height = rows;
    for (size_t i = 0; i < size_t(columns) * rows; i++)
        for (int c = 0; c < wanted; c++)
            (*data)[i * size_t(wanted) + size_t(c)] =
                c < channels ? T(bytes[i * size_t(channels) + size_t(c)] * scale) : T(sizeof(T) == 1 ? 255 : 0);
    return true;
}
template <class T> inline bool sdkLoadPGM(const char* name, T** data, unsigned* width, unsigned* height) {
    return emu_load_image(name, data, width, height, 1, 1);
}
template <class T> inline bool sdkLoadPPM4(const char* name, T** data, unsigned* width, unsigned* height) {
    return emu_load_image(name, data, width, height, 3, 4);
}
inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned* width, unsigned* height) {
    return emu_load_image(name, data, width, height, 3, 4);
}
inline bool sdkLoadPPMub(const char* name, unsigned char** data, unsigned* width, unsigned* height) {
    return emu_load_image(name, data, width, height, 3, 3);
}
template <class T>
inline bool emu_save_image(const char* name, const T* data, unsigned width, unsigned height, int channels, int given) {
    std::ofstream file(name, std::ios::binary);
    file << (channels == 1 ? "P5\n" : "P6\n") << width << "\n" << height << "\n255\n";
    float scale = sizeof(T) == 1 ? 1 : 255;
    for (size_t i = 0; i < size_t(width) * height; i++)
        for (int c = 0; c < channels; c++) file.put(char((unsigned char)(data[i * size_t(given) + size_t(c)] * scale)));
    return bool(file.flush());
}
template <class T> inline bool sdkSavePGM(const char* name, T* data, unsigned width, unsigned height) {
    return emu_save_image(name, data, width, height, 1, 1);
}
inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned width, unsigned height) {
    return emu_save_image(name, data, width, height, 3, 4);
}

template <class T> inline bool sdkReadFile(const char* name, T** data, unsigned* count, bool) {
    std::ifstream file(name);
    std::vector<T> read;
    for (T value; file >> value;) read.push_back(value);
    if (read.empty() || (*data && *count != read.size())) return false;
    if (!*data) *data = (T*)malloc(read.size() * sizeof(T));
    std::copy(read.begin(), read.end(), *data);
    return *count = unsigned(read.size()), true;
}
template <class T, class S>
inline bool sdkWriteFile(const char* name, const T* data, unsigned count, const S, bool, bool append = false) {
    std::ofstream file(name, append ? std::ios::app : std::ios::trunc);
    for (unsigned i = 0; i < count; i++) file << data[i] << ' ';
    file << '\n';
    return bool(file.flush());
}
inline void sdkDumpBin(void* data, unsigned bytes, const char* name) {
    std::ofstream(name, std::ios::binary).write((const char*)data, bytes);
}

// Whether no more than this part of the numbers differ by more than `epsilon`.
template <class T, class S>
inline bool compareData(const T* reference, const T* data, unsigned count, const S epsilon, const float part) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; i++) wrong += !(fabs(double(reference[i]) - double(data[i])) <= double(epsilon));
    return float(wrong) <= part * float(count);
}
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T* reference, const T* data, unsigned count, const S epsilon,
                                        const float part) {
    return compareData(reference, data, count, std::max(double(epsilon), 1e-3), part);
}
// Whether the numbers together differ by no more than `epsilon` of their norm.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned count, const float epsilon) {
    double norm = 0, error = 0;
    for (unsigned i = 0; i < count; i++) {
        norm += double(reference[i]) * double(reference[i]);
        error += (double(reference[i]) - double(data[i])) * (double(reference[i]) - double(data[i]));
    }
    return norm > 1e-14 && sqrt(error / norm) < double(epsilon);
}
inline bool emu_same_file(const char* name, const char* other, float epsilon, float part, size_t item) {
    std::vector<char> bytes[2];
    for (int i = 0; i < 2; i++) {
        std::ifstream file(i ? other : name, std::ios::binary);
        if (!file) return fprintf(stderr, "%s cannot be read.\n", i ? other : name), false;
        bytes[i].assign(std::istreambuf_iterator<char>(file), {});
    }
    if (bytes[0].size() != bytes[1].size()) return false;
    unsigned count = unsigned(bytes[0].size() / item);
    return item == 1
               ? compareData((unsigned char*)bytes[0].data(), (unsigned char*)bytes[1].data(), count, epsilon, part)
               : compareData((float*)bytes[0].data(), (float*)bytes[1].data(), count, epsilon, part);
}
inline bool sdkCompareBin2BinFloat(const char* name, const char* other, unsigned, const float epsilon, const float part,
                                   char* program) {
    char* path = sdkFindFilePath(other, program);
    bool same = path && emu_same_file(name, path, epsilon, part, sizeof(float));
    return free(path), same;
}
inline bool sdkComparePPM(const char* name, const char* other, const float epsilon, const float part, bool = false) {
    return emu_same_file(name, other, epsilon, part, 1);
}
inline bool sdkComparePGM(const char* name, const char* other, const float epsilon, const float part, bool = false) {
    return emu_same_file(name, other, epsilon, part, 1);
}
