// NVRTC: cuda/programs/libraries/nvrtc.py compiles, for the emulator. What stands for PTX and machine code is a name of that.
#pragma once
#include "emu_library.h"

typedef enum {
    NVRTC_SUCCESS,
    NVRTC_ERROR_OUT_OF_MEMORY,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE,
    NVRTC_ERROR_INVALID_INPUT,
    NVRTC_ERROR_INVALID_PROGRAM,
    NVRTC_ERROR_INVALID_OPTION,
    NVRTC_ERROR_COMPILATION,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
    NVRTC_ERROR_INTERNAL_ERROR
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;

EMU_SENT const char* nvrtcGetErrorString(nvrtcResult result) {
#define EMU_NAME(name) \
    if (result == name) return #name;
    EMU_NAME(NVRTC_SUCCESS)
    EMU_NAME(NVRTC_ERROR_INVALID_INPUT)
    EMU_NAME(NVRTC_ERROR_INVALID_PROGRAM)
    EMU_NAME(NVRTC_ERROR_COMPILATION)
    EMU_NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    return "NVRTC_ERROR unknown";
#undef EMU_NAME
}
// All texts together, each with the byte that ends it.
static inline std::string emu_texts(int count, const char* const* texts) {
    std::string all;
    for (int i = 0; i < count; i++) all.append(texts[i], strlen(texts[i]) + 1);
    return all;
}
#define EMU_TEXT(text) text, text ? strlen(text) : 0
#define EMU_TEXTS(texts) texts.data(), texts.size()
#define EMU_NVRTC(name, parameters, ...) EMU_FORWARD(nvrtc, nvrtcResult, name, parameters, __VA_ARGS__)
EMU_NVRTC(nvrtcVersion, (int* major, int* minor), major, minor)
EMU_SENT nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int count,
                                        const char* const* headers, const char* const* names) {
    std::string texts = emu_texts(count, headers), called = emu_texts(count, names);
    return nvrtcResult(emu_library("nvrtc nvrtcCreateProgram", program, EMU_TEXT(source), EMU_TEXT(name),
                                   EMU_TEXTS(texts), EMU_TEXTS(called)));
}
EMU_NVRTC(nvrtcDestroyProgram, (nvrtcProgram * program), program)
EMU_SENT nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
    std::string texts = emu_texts(count, options);
    return nvrtcResult(emu_library("nvrtc nvrtcCompileProgram", program, EMU_TEXTS(texts)));
}
EMU_NVRTC(nvrtcAddNameExpression, (nvrtcProgram program, const char* expression), program, EMU_TEXT(expression))
EMU_SENT nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
    char* lowered = new char[4096];  // which belongs to the program
    *name = lowered;
    return nvrtcResult(emu_library("nvrtc nvrtcGetLoweredName", program, EMU_TEXT(expression), lowered));
}
EMU_NVRTC(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t* size), program, size)
EMU_NVRTC(nvrtcGetProgramLog, (nvrtcProgram program, char* log), program, log)
EMU_NVRTC(nvrtcGetPTXSize, (nvrtcProgram program, size_t* size), program, size)
EMU_NVRTC(nvrtcGetPTX, (nvrtcProgram program, char* code), program, code)
EMU_NVRTC(nvrtcGetCUBINSize, (nvrtcProgram program, size_t* size), program, size)
EMU_NVRTC(nvrtcGetCUBIN, (nvrtcProgram program, char* code), program, code)
#undef EMU_TEXT
#undef EMU_TEXTS
