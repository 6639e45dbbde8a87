// Which model do recorded jobs allow? Times between arrivals and services are fitted, tested for their
// distribution, their independence and a constant level; the strictest model that no test speaks against is
// used, and where none may be, the answer says so and the replay of the records is what remains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/queueing/job_records.h"
#include "sextant/queueing/replay.h"
#include "sextant/queueing/sample_tests.h"

namespace sextant::queueing {

struct FamilyFit {
  Family family = Family::exponential;
  std::optional<Distribution> fitted = {};  // to all values
  std::string failure = {};                 // why there is none
  std::optional<double> aic = {};           // 2 parameters - 2 ln likelihood; none for a constant
  std::optional<KolmogorovTest> kolmogorov = {};
  std::optional<stats::ChiSquareTest> chi_square = {};
};

struct TimesDiagnosis {
  std::size_t count = 0;
  std::size_t tested = 0;  // values that the tests of fit saw
  double mean_s = 0;
  double scv = 0;
  double tied = 0;              // share of the values that occur before
  std::vector<FamilyFit> fits;  // best AIC first, those without a fit last
  SerialTest serial;
  LevelTest level;

  bool exponential = false;  // no test rejects it
  bool independent = false;
  bool steady = false;
};

struct DiagnosisOptions {
  std::int64_t servers = 1;
  double level = 0.01;  // of each of six tests, so that a true model is refused in at most 6 % of the cases
  std::uint64_t seed = 0;
  std::size_t replicates = 499;
  // Tests of fit see at most so many values, drawn at random: with more, every real trace is rejected for
  // differences that change no waiting time, and the bootstrap takes minutes.
  std::size_t most_tested = 1000;
  // For the same reason smaller effects, which only thousands of records reveal, count as none: of two halves
  // with exponential times, the share is 0.001 when their rates differ by 8 %.
  double least_correlation = 0.02;
  double least_share = 0.001;
};

struct Diagnosis {
  TimesDiagnosis arrivals;
  TimesDiagnosis services;
  QueueModel model = QueueModel::ggc;
  Load load;
  bool may_be_used = true;
  std::string reason;  // "arrivals are Poisson (KS p=0.41), ...: M/G/1"
  std::vector<std::string> warnings;
  QueueResult result;
  stats::Interval waiting_interval_s;  // 95 %, of the model's mean wait: what so many records leave open
  Replay replay;
  std::uint64_t seed = 0;
};

// InputError as in fit_distribution() for times that are all 0.
Diagnosis diagnose(const JobRecords& records, const DiagnosisOptions& options = {});

// The same records and model at another number of servers.
void change_servers(Diagnosis& diagnosis, const JobRecords& records, std::int64_t servers);

}  // namespace sextant::queueing
