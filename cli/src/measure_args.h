// What `sextant measure` takes, and the trials that its lists make.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/cli/command.h"
#include "sextant/measure/campaign.h"

namespace sextant {

struct MeasureArgs {
  std::vector<std::string> nets;
  std::optional<std::int64_t> image;
  std::optional<std::int64_t> seq;
  std::optional<std::int64_t> classes;
  std::vector<std::int64_t> batches = {32};
  std::vector<std::string> strategies = {"auto"};
  std::vector<std::int64_t> workers = {1};
  std::vector<std::int64_t> servers = {1};
  std::vector<std::string> transports = {"gloo-tcp"};
  std::vector<std::string> buckets = {"25"};
  std::vector<std::int64_t> threads = {1};
  bool no_overlap = false;
  std::string optimizer = "momentum";
  double learning_rate = 0.01;
  double momentum = 0.9;

  std::string data = "synthetic";
  std::int64_t prefetch = 2;
  std::int64_t iterations = 20;
  std::int64_t warmup = 3;
  std::optional<double> epochs;

  std::string runner = "auto";
  std::string timeout = "30s";
  std::string on_failure = "stop";
  std::int64_t checkpoint_every = 0;
  std::optional<std::string> scratch;
  bool keep = false;

  double precision = 0.02;
  std::string budget = "10min";
  std::int64_t rounds = 1;

  bool operators = false;
  bool effects = false;
  std::string response = "iteration";
  std::optional<std::string> spans_out;
  std::string spans_format = "perfetto";
  std::optional<std::string> db;
};

std::vector<Option> measure_options(MeasureArgs& args);

// The product of the lists, in the order of the options; what makes no difference to a strategy (servers
// without parameter server, a transport without processes) is set to one value, and equal trials are kept
// once.
std::vector<Trial> trials_of(const MeasureArgs& args, std::uint64_t seed);

CampaignOptions campaign_options(const MeasureArgs& args, std::uint64_t seed);

}  // namespace sextant
