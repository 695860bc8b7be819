// What NVIDIA's samples have in common.
#pragma once
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
