#include "sextant/input/dataset.h"
