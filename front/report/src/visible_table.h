// A table whose texts do no harm where people read them: names in it are from files, and may hold anything.
#pragma once

#include "sextant/report/table.h"

namespace sextant::report {

Table visible_table(Table table);

}  // namespace sextant::report
