// Arguments of a program's command line, `-name=value` or `--name=value`, and files beside it, as NVIDIA's samples have
// them.
#pragma once
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, room, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(file) (file == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf

// The index of the first character that is not the delimiter.
inline int stringRemoveDelimiter(char delimiter, const char* text) {
    int at = 0;
    while (text[at] == delimiter) at++;
    return at;
}

// Where the value of an argument begins: at "" without one; null if the argument is not there.
inline const char* emu_argument(int argc, const char** argv, const char* name) {
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char* given = argv[i] + stringRemoveDelimiter('-', argv[i]);
        if (given == argv[i] || strncasecmp(given, name, length)) continue;
        if (given[length] == '=') return given + length + 1;
        if (!given[length]) return given + length;
    }
    return nullptr;
}
inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
    return emu_argument(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
    const char* value = emu_argument(argc, argv, name);
    return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
    const char* value = emu_argument(argc, argv, name);
    return value ? float(atof(value)) : 0;
}
inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name, char** out) {
    const char* value = emu_argument(argc, argv, name);
    *out = const_cast<char*>(value);
    return value != nullptr;
}
template <class T> inline bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* out) {
    const char* value = emu_argument(argc, argv, name);
    if (value && *value) *out = T(atof(value));
    return value != nullptr;
}
inline int getFileExtension(char* name, char** extension) {
    char* dot = strrchr(name, '.');
    *extension = dot ? dot + 1 : name + strlen(name);
    return int(*extension - name);
}

// The path of a file: where the program runs, beside the program, or in a folder for data of either; null if it is in
// none of them. The caller frees it.
inline char* sdkFindFilePath(const char* name, const char* program) {
    std::string beside = program ? program : "";
    beside.resize(beside.find_last_of('/') + 1);
    const std::string starts[] = {"", beside};
    for (const std::string& start : starts)
        for (const char* folder : {"", "data/", "../data/", "../", "../../data/", "../../Common/data/",
                                   "../../../Common/data/", "../../../../Common/data/"}) {
            std::string path = start + folder + name;
            if (FILE* file = fopen(path.c_str(), "rb")) return fclose(file), strdup(path.c_str());
        }
    return nullptr;
}
