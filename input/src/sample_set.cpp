#include "sextant/input/sample_set.h"
