// Measurement records: what was added, what is there, whether the file is sound.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/records.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result records_added_result(const std::string& db, const records::AppendReport& report);
Result records_list_result(const std::vector<records::Record>& records);
Result records_check_result(const std::string& db, const ask::RecordsCheck& check);

}  // namespace sextant::report
