// The fit finds a law that made the rows, shrugs off wild ones, and reads only sound tables.
#include "sextant/collectives/calibration_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "sextant/core/rng.h"

namespace sextant::collectives {
namespace {

struct CalibrationFit : testing::Test {
  catalog::Catalog catalog = catalog::builtin_catalog();
  Systems systems = load_systems(catalog);

  // Rows that a calibration would give, with 2 % of noise.
  [[nodiscard]] std::vector<TimedCollective> rows_of(const Calibration& law) const {
    std::vector<TimedCollective> rows;
    Rng rng = Rng(3).stream("rows");
    for (const char* name : {"a100-dgx", "h100-dgx"}) {
      for (const std::int64_t gpus : {2, 4, 8}) {
        for (const std::int64_t nodes : {1, 2}) {
          for (double bytes = 4096; bytes < 6e8; bytes *= 1.05) {
            const CollectiveQuestion q{Collective::all_reduce, gpus, nodes, Bytes{bytes}};
            const double noise = 0.02 * (2 * rng.uniform() - 1);
            rows.push_back(
                {systems.get(name), q, std::exp(noise) * estimate(law, systems.get(name), q).time});
          }
        }
      }
    }
    return rows;
  }

  static double worst(const Calibration& fitted, const std::vector<TimedCollective>& rows) {
    double most = 0;
    for (const auto& row : rows) {
      const double time = estimate(fitted, row.system, row.question).time.value;
      most = std::max(most, std::abs(time / row.time.value - 1));
    }
    return most;
  }

  static Calibration law() {
    Calibration law = prior_calibration();
    law.launch = 2e-5;
    for (auto& wire : law.wires) wire.efficiency *= 0.8, wire.start *= 1.5;
    return law;
  }
};

TEST_F(CalibrationFit, RecoversALaw) {
  const auto rows = rows_of(law());
  const Calibration fitted = fit_calibration(rows);
  EXPECT_LT(worst(fitted, rows), 0.12);
  EXPECT_NEAR(fitted.wires[0].efficiency / law().wires[0].efficiency, 1, 0.08);
}

TEST_F(CalibrationFit, WildRowsHardlyMoveIt) {
  const auto rows = rows_of(law());
  auto wild = rows;
  for (std::size_t i = 0; i < wild.size(); i += 11) wild[i].time = 20 * wild[i].time;
  EXPECT_LT(worst(fit_calibration(wild), rows), 0.25);
}

TEST_F(CalibrationFit, WidthsCoverRowsLeftOut) {
  const auto rows = rows_of(law());
  Calibration fitted = fit_calibration(rows);
  NoProgress quiet;
  measure_widths(rows, fitted, {.longer = false, .system = false, .nothing = false}, quiet);
  const Width& width = fitted.collective_widths.at(static_cast<std::size_t>(Known::placement));
  EXPECT_GT(width.above, 0.01);
  EXPECT_LT(width.above, 0.1);
}

TEST_F(CalibrationFit, NoRows) {
  EXPECT_THROW((void)fit_calibration({}), InputError);
}

TEST_F(CalibrationFit, ReadsTables) {
  const std::string head = "system,collective,num_gpus,num_nodes,bytes,median_ms\n";
  const auto read = [&](const std::string& text) {
    return read_timed(CsvTable::parse(text, "t.csv"), systems, catalog);
  };
  const auto rows = read(head + "a100_dgx,all_reduce,2,1,2048,0.5\na100_dgx,send_recv,2,2,2048,0\n");
  ASSERT_EQ(rows.size(), 1U);  // a time of 0 is below the clock's resolution
  EXPECT_EQ(rows[0].time, Seconds{0.5e-3});
  const auto error = [&](const std::string& text) {
    return sextant::test::error_of([&] { (void)read(text); });
  };
  EXPECT_NE(error("system,bytes\nx,1\n").find("collective"), std::string::npos);
  EXPECT_NE(error("system,collective,num_gpus,num_nodes,bytes\n").find("no column holds the time"),
            std::string::npos);
  EXPECT_NE(error(head + "a100_dgx,all_reduce,2,1,2048,-1\n").find("t.csv:2:30: error: this is not a time"),
            std::string::npos);
  EXPECT_NE(error(head + "dgx-9,all_reduce,2,1,2048,1\n").find("unknown system 'dgx-9'"), std::string::npos);
  EXPECT_NE(error(head + "a100_dgx,all_reduce,99,1,2048,1\n").find("t.csv:2:1"), std::string::npos);
  EXPECT_NE(error(head + "a100_dgx,all_reduce,2.5,1,2048,1\n").find("t.csv:2:21"), std::string::npos);
  EXPECT_NE(error(head + "a100_dgx,all_reduce,2,1,nan,1\n").find("t.csv:2"), std::string::npos);
}

}  // namespace
}  // namespace sextant::collectives
