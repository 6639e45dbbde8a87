// Kills writers of records again and again: `kill_writer [KILLS] [SEED]`. Each round of fifty starts
// with a new file, so that the creation of a file is hit too; every second round has two writers.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "kill_harness.h"
#include "temp_folder.h"

namespace {

constexpr int kRound = 50;

struct Totals {
  int kills = 0;
  std::int64_t acknowledged = 0;
  std::int64_t repeated = 0;
  std::int64_t repeated_found = 0;
};

void add(Totals& totals, const sextant::records::test::KillReport& report) {
  totals.kills += report.kills;
  totals.acknowledged += report.acknowledged;
  totals.repeated += report.repeated;
  totals.repeated_found += report.repeated_found;
}

int run(int kills, std::uint64_t seed) {
  Totals totals;
  for (int round = 0; totals.kills < kills; ++round) {
    const sextant::records::test::TempFolder folder;
    const auto report =
        sextant::records::test::run_kills({folder.file("records.db"), std::min(kRound, kills - totals.kills),
                                           1 + round % 2, seed + static_cast<std::uint64_t>(round)});
    add(totals, report);
    for (const auto& fault : report.faults) std::cerr << "round " << round << ": " << fault << "\n";
    if (!report.faults.empty()) return 1;
  }
  std::cout << totals.kills << " writers killed; " << totals.acknowledged
            << " records acknowledged, all there once; " << totals.repeated
            << " repeated after a kill, of which " << totals.repeated_found << " were stored already\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int kills = argc > 1 ? std::atoi(argv[1]) : 1000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  if (kills < 1) {
    std::cerr << "usage: kill_writer [KILLS] [SEED]\n";
    return 2;
  }
  return run(kills, seed);
}
