// The layout of a file of records, and what makes a file one: SQLite's application id, the version
// of the layout in user_version, and the very statements that made the table and its guards.
#pragma once

#include "sextant/records/record_store.h"
#include "sextant/records/sqlite.h"

namespace sextant::records {

// Creates the layout in an empty file when writing; InputError for a file that is not ours to use.
void prepare_schema(Database& database, StoreMode mode);

}  // namespace sextant::records
