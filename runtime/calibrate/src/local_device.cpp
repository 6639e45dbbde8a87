#include "local_device.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sextant/core/json_reader.h"
#include "sextant/core/provenance.h"
#include "sextant/core/text.h"
#include "sextant/stats/quantiles.h"

namespace sextant::calibrate {
namespace {

constexpr double kLongEnough = 5e-4;   // s: overheads no longer matter
constexpr double kBeyondCaches = 3e7;  // B
constexpr double kFallbackRate = 1e10;
constexpr double kFallbackBandwidth = 1e10;

// A line such as "model name : AMD EPYC".
std::string processor_field(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || trim(line.substr(0, colon)) != key) continue;
    return std::string(trim(line.substr(colon + 1)));
  }
  return {};
}

double memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

struct Rates {
  std::vector<double> arithmetic;
  std::vector<double> traffic;
};

Rates reached(std::span<const predict::TimedNetwork> networks) {
  Rates rates;
  for (const predict::TimedNetwork& network : networks) {
    if (network.forward_s.empty()) continue;
    for (const predict::OperatorCall& call :
         predict::operator_calls(network.graph, cost(network.graph), jobs::Mode::infer)) {
      const double seconds = network.forward_s[call.node];
      if (call.kind == "conv" && seconds > kLongEnough) rates.arithmetic.push_back(call.flop / seconds);
      const bool streams = call.kind == "relu" || call.kind == "add" || call.kind == "concat";
      if (streams && call.bytes > kBeyondCaches && seconds > 0) rates.traffic.push_back(call.bytes / seconds);
    }
  }
  return rates;
}

std::string figure(double value) {
  return number_text(rounded(value));
}

// A basic TOML string: quotes and backslashes escaped, control characters blanked.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char ch : text) {
    if (ch == '"' || ch == '\\') out += '\\';
    out += static_cast<unsigned char>(ch) < 0x20 ? ' ' : ch;
  }
  return out + "\"";
}

}  // namespace

catalog::Gpu describe_machine(const std::string& id, std::int64_t threads,
                              std::span<const predict::TimedNetwork> networks) {
  const Rates rates = reached(networks);
  const std::string model = processor_field("model name");
  catalog::Gpu gpu;
  gpu.id = id;
  gpu.name = (model.empty() ? "this machine" : model) + ", " + std::to_string(threads) +
             (threads == 1 ? " thread" : " threads");
  gpu.vendor = processor_field("vendor_id");
  gpu.architecture = "CPU";
  gpu.cores = static_cast<int>(threads);
  gpu.fp32 =
      FlopRate{rates.arithmetic.empty() ? kFallbackRate : stats::sample_quantile(rates.arithmetic, 0.95)};
  gpu.memory_bandwidth =
      Bandwidth{rates.traffic.empty() ? kFallbackBandwidth : stats::sample_quantile(rates.traffic, 0.5)};
  gpu.memory = Bytes{memory_bytes()};
  gpu.source = "sextant calibrate";
  gpu.date = provenance_now("", 0).date.substr(0, 10);
  gpu.notes = "rates as convolutions and large copies reached them";
  return gpu;
}

std::string catalog_text(const catalog::Gpu& gpu, const std::string& calibration_file) {
  std::ostringstream text;
  text << "# Made by 'sextant calibrate', which writes it anew.\n[[gpu]]\n"
       << "id = " << quoted(gpu.id) << "\nname = " << quoted(gpu.name) << '\n';
  if (!gpu.vendor.empty()) text << "vendor = " << quoted(gpu.vendor) << '\n';
  text << "architecture = " << quoted(gpu.architecture) << "\ncores = " << gpu.cores << '\n'
       << "fp32 = \"" << figure(gpu.fp32.value / 1e9) << " GFLOP/s\"\n"
       << "memory = \"" << figure(gpu.memory.value / 1e9) << " GB\"\n"
       << "memory_bandwidth = \"" << figure(gpu.memory_bandwidth.value / 1e9) << " GB/s\"\n"
       << "calibration = " << quoted(calibration_file) << "\nsource = " << quoted(gpu.source)
       << "\ndate = " << quoted(gpu.date) << "\nnotes = " << quoted(gpu.notes) << '\n';
  return text.str();
}

}  // namespace sextant::calibrate
