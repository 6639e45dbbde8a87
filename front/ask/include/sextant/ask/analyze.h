// What explains the results of runs, and how sure is that?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sextant/analysis/analysis.h"
#include "sextant/catalog/catalog.h"

namespace sextant::ask {

struct AnalyzeQuestion {
  // A table with a row per run (CSV), or a study: its file (TOML; the store stands beside it), its SQLite
  // file, or postgresql://.
  std::string runs = {};
  std::string response = {};              // column to explain; of a study: its first objective unless stated
  std::optional<std::string> study = {};  // which, where several are kept
  std::vector<std::string> factors = {};  // columns that may explain it; empty: all others
  std::vector<std::string> without = {};  // columns that are no factors
  std::optional<std::string> group = {};  // column of the workloads
  std::optional<std::string> censored = {};  // "completed=0": rows that did not complete
  bool maximise = false;
  bool log = false;    // analyse the logarithm of the response
  bool plain = false;  // never the logarithm, even where it alone passes the checks
  double level = 0.95;
  std::optional<std::int64_t> order = {};   // of interactions; empty: 2 where the runs allow it, else 1
  std::string sums = "II";                  // type of the sums of squares; or III
  std::optional<std::string> scaling = {};  // column of a count
  std::int64_t top = 5;                     // best configurations that workloads are compared by
  std::vector<std::string> detect = {};     // differences of the mean, "5%" or "0.05"; empty: the usual ones
  double power = 0.8;
  std::uint64_t seed = 0;
};

// Looked at only where a study has to be read.
using CatalogSource = std::function<catalog::Catalog()>;

// What a study knows and the question leaves open is filled in: factors, the response and which way is
// better, and that trials that did not complete are censored.
analysis::Analysis analyze(const AnalyzeQuestion& question, const CatalogSource& catalog);

}  // namespace sextant::ask
