#include "schema.h"

#include <array>

#include "sextant/core/error.h"

namespace sextant::records {
namespace {

constexpr std::int64_t kApplicationId = 0x53585452;  // "SXTR"
constexpr std::int64_t kVersion = 1;

struct SchemaObject {
  const char* name;
  const char* sql;
};

// The last trigger keeps INSERT OR REPLACE, which deletes without asking the second, from
// overwriting; it also makes a repeated insert a quiet no-op.
constexpr std::array<SchemaObject, 5> kSchema{{
    {"records",
     "CREATE TABLE records(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
     "kind TEXT NOT NULL, fields TEXT NOT NULL, provenance TEXT NOT NULL) STRICT"},
    {"records_by_kind", "CREATE INDEX records_by_kind ON records(kind, seq)"},
    {"records_no_update",
     "CREATE TRIGGER records_no_update BEFORE UPDATE ON records "
     "BEGIN SELECT RAISE(ABORT, 'records are append-only'); END"},
    {"records_no_delete",
     "CREATE TRIGGER records_no_delete BEFORE DELETE ON records "
     "BEGIN SELECT RAISE(ABORT, 'records are append-only'); END"},
    {"records_no_replace",
     "CREATE TRIGGER records_no_replace BEFORE INSERT ON records "
     "WHEN EXISTS (SELECT 1 FROM records WHERE id = NEW.id OR seq = NEW.seq) "
     "BEGIN SELECT RAISE(IGNORE); END"},
}};

void create(Database& database) {
  for (const auto& object : kSchema) database.execute(object.sql);
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.execute("PRAGMA user_version = " + std::to_string(kVersion));
}

void check_version(Database& database) {
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (version > kVersion) {
    throw InputError({database.path()},
                     "the file was written by a newer version (layout " + std::to_string(version) +
                         "; this one knows " + std::to_string(kVersion) + ")",
                     "update sextant");
  }
  if (version < 1)
    throw InputError({database.path()}, "the file is damaged: it says layout " + std::to_string(version));
}

void check_objects(Database& database) {
  Statement query(database, "SELECT sql FROM sqlite_schema WHERE name = ?1");
  for (const auto& object : kSchema) {
    query.bind(1, std::string(object.name));
    const bool as_made = query.step() && query.text(0) == object.sql;
    if (!as_made) {
      throw InputError({database.path()},
                       std::string("the file is damaged: '") + object.name + "' is not as it was made");
    }
    query.reset();
  }
}

}  // namespace

void prepare_schema(Database& database, StoreMode mode) {
  Transaction look(database, mode == StoreMode::read_write ? Lock::write : Lock::none);
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  const bool ours = database.integer("PRAGMA application_id") == kApplicationId;
  if (ours) {
    check_version(database);
    check_objects(database);
  } else if (!empty) {
    throw InputError({database.path()}, "this is a database of another program", "name a file of records");
  } else if (mode == StoreMode::read_only) {
    throw InputError({database.path()}, "the file is empty: no records were ever stored here");
  } else {
    create(database);
  }
  look.commit();
}

}  // namespace sextant::records
