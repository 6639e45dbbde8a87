#include "sextant/engine/executor.h"
