// The emulator's own, for both halves of a program.
#pragma once
#include "emulated/math_constants.h"
