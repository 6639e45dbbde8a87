// Records in and out: a table of runs as CSV into an SQLite file, and back. Both are to be linear in the
// rows.
#include "sextant/ask/records.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "growth.h"
#include "sextant/records/record_csv.h"

namespace sextant::bench {
namespace {

namespace fs = std::filesystem;

// Gone with the program.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "sextant-bench-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

const Scratch& scratch() {
  static const Scratch folder;
  return folder;
}

std::string table_of_runs(std::int64_t rows) {
  const std::string path = scratch().file(std::to_string(rows) + ".csv");
  if (fs::exists(path)) return path;
  std::ofstream out(path);
  out << "net,gpu,batch,iteration_s,note\n";
  for (std::int64_t row = 0; row < rows; ++row) {
    out << "resnet" << 18 + row % 34 << ",v100," << 1 + row % 64 << ","
        << 0.001 * static_cast<double>(row % 999 + 1) << ",run " << row << "\n";
  }
  return path;
}

std::int64_t imported(std::int64_t rows, const std::string& db) {
  for (const char* ending : {"", "-wal", "-shm"}) fs::remove(db + ending);
  return ask::import_records({.file = table_of_runs(rows), .db = db}, provenance_now("bench", 0)).added;
}

std::size_t exported(const std::string& db) {
  std::ostringstream out;
  write_records_csv(out, ask::read_records({.db = db}));
  return out.str().size();
}

void records_import_growth(benchmark::State& state) {
  for (const std::int64_t rows : {state.range(0), state.range(0) / kGrowthStep}) table_of_runs(rows);
  report_growth(state, [](std::int64_t rows) { return imported(rows, scratch().file("in.db")); });
}
BENCHMARK(records_import_growth)->Arg(40'000)->Arg(160'000)->UseManualTime()->Unit(benchmark::kMillisecond);

void records_export_growth(benchmark::State& state) {
  const auto db = [](std::int64_t rows) { return scratch().file("out" + std::to_string(rows) + ".db"); };
  for (const std::int64_t rows : {state.range(0), state.range(0) / kGrowthStep}) imported(rows, db(rows));
  report_growth(state, [&](std::int64_t rows) { return exported(db(rows)); });
}
BENCHMARK(records_export_growth)->Arg(40'000)->Arg(160'000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
