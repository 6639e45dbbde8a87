// Advice over a catalogue of SkyPilot's size: 5,000 machine types x 8 numbers of machines x strategies,
// relative to reading that catalogue from its CSV. The seconds are printed too; the aim is below 1.
#include "sextant/plan/advise.h"

#include <array>
#include <string>

#include "ratio.h"

namespace sextant::bench {
namespace {

constexpr std::array kGpus = {"K80",  "P100", "V100", "V100-32GB", "T4",      "A10G",  "A100",    "A100-80GB",
                              "H100", "L4",   "L40S", "M60",       "RTX6000", "A6000", "RTX4090", "RTX3090"};
constexpr std::array kCounts = {1, 2, 4, 8};
constexpr int kTypes = 5000;

// Types that differ in host, price and GPUs, two regions each.
std::string catalogue_csv() {
  std::string text = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region\n";
  for (int type = 0; type < kTypes; ++type) {
    const std::string gpu = kGpus[static_cast<std::size_t>(type) % kGpus.size()];
    const int count = kCounts[static_cast<std::size_t>(type) / kGpus.size() % kCounts.size()];
    for (const char* region : {"here", "there"}) {
      text += "type-" + std::to_string(type) + "," + gpu + "," + std::to_string(count) + "," +
              std::to_string(8 * count) + "," + std::to_string(64 * count) + "," +
              std::to_string(0.5 * count + 0.001 * type) + "," + std::to_string(0.2 * count) + "," + region +
              "\n";
    }
  }
  return text;
}

catalog::Catalog imported(const std::string& text) {
  const catalog::CatalogFile file{"bench/vms.csv", text};
  return overlay(catalog::builtin_catalog(), {&file, 1});
}

std::size_t advised(const catalog::Catalog& catalog, const nets::Network& network,
                    const predict::Predictor& predictor) {
  jobs::Job job{.net = network.id, .sizes = {.batch = 32}, .stack = "tensorflow", .layout = {}};
  job.duration = jobs::Duration{90, 1281167};
  const plan::Training training{catalog, network, predictor, job};
  NoProgress silent;
  const plan::Offers offers = find_offers(training, {.link = "ethernet-100g"}, silent);
  return advise(offers, {.deadline = Seconds{86400}}).ranked.size();
}

void advise_against_reading(benchmark::State& state) {
  const std::string text = catalogue_csv();
  const catalog::Catalog catalog = imported(text);
  const nets::Network& network = nets::zoo().get(state.range(0) == 0 ? "resnet50" : "bert-large");
  const auto predictor = predict::predictors().get("kernel").make({.catalog = &catalog});
  report_ratio(
      state, [&] { return advised(catalog, network, *predictor); },
      [&] { return imported(text).machines.all().size(); });
  state.counters["types"] = static_cast<double>(catalog.machines.all().size());
  state.counters["seconds"] = seconds_of([&] { return advised(catalog, network, *predictor); });
  state.SetLabel(network.id);
}
BENCHMARK(advise_against_reading)->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
