// Stacks that the kernel model is calibrated for and recipes they were made by, listed and described.
#pragma once

#include "sextant/predict/recipe.h"
#include "sextant/predict/stack.h"
#include "sextant/report/result.h"

namespace sextant::report {

Table stacks_table();
Table recipes_table();
Result description(const predict::Stack& stack);
Result description(const predict::Recipe& recipe);

}  // namespace sextant::report
