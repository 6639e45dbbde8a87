#include "sextant/spans/span.h"
