// Any bytes as CSV: records come out or an InputError does; what comes out survives a round trip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/records/record_csv.h"
#include "sextant/records/record_store.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

std::string written(const std::vector<sextant::records::Record>& records) {
  std::ostringstream out;
  sextant::records::write_records_csv(out, records);
  return out.str();
}

std::vector<sextant::records::Record> imported(const std::string& csv) {
  return sextant::records::read_records_csv(sextant::CsvTable::parse(csv, "fuzz.csv"), {"fuzz", {}});
}

// Nothing here may be refused any more.
void check_round_trip(sextant::records::RecordStore& store) noexcept {
  const std::string text = written(store.read());
  require(store.append(imported(text)).added == 0);
  require(written(imported(text)) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto records = imported({reinterpret_cast<const char*>(data), size});
    auto store = sextant::records::RecordStore::open(":memory:", {sextant::records::StoreMode::read_write});
    store.append(records);
    check_round_trip(store);
  } catch (const sextant::InputError&) {  // also for the same id twice with other contents
  }
  return 0;
}
