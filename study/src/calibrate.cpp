#include "sextant/study/calibrate.h"
