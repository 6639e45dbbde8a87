// A trial as both stores keep it: texts of JSON in a row, so that they hold the same and neither knows
// metrics by name.
#pragma once

#include <string>

#include "sextant/study/study_store.h"

namespace sextant::study {

inline constexpr std::int64_t kStudyLayout = 1;  // of the tables, in either store

explore::TrialState state_of(const std::string& text, const std::string& where);

std::string configuration_json(const StoredTrial& trial);
std::string result_json(const StoredTrial& trial);
// Into the trial; InputError that names `where` for what is not as it was written.
void read_configuration(const std::string& json, StoredTrial& trial, const std::string& where);
void read_result(const std::string& json, StoredTrial& trial, const std::string& where);

// InputError that shows the first line that differs.
void check_same_study(const StudyHeader& stored, const StudyHeader& given);
// What a trial gets whose workers died too often.
StoredTrial poisoned(StoredTrial trial);

// The stores themselves.
std::unique_ptr<StudyStore> open_sqlite_study(const std::string& path, const StudyStoreOptions& options);
std::unique_ptr<StudyStore> open_postgres_study(const std::string& url, const StudyStoreOptions& options);

}  // namespace sextant::study
