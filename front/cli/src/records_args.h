// What `sextant records` takes.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/records.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

Option records_db_option(std::string& db);
std::vector<Option> records_filter_options(ask::ReadRecordsQuestion& question);
std::vector<Option> records_import_options(ask::ImportRecordsQuestion& question);

}  // namespace sextant::cli
