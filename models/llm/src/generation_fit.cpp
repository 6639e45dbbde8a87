#include "sextant/llm/generation_fit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "generation_law.h"
#include "kernel_rows.h"
#include "kernel_solve.h"
#include "sextant/core/error.h"
#include "sextant/stats/quantiles.h"

namespace sextant::llm {
namespace {

constexpr double kCoveredShare = 0.9;
constexpr double kFewVendors = 2.8;  // three are too few to tell how far another one is off
constexpr const char* kFirstToken = "first token";
constexpr const char* kOtherVendor = "other vendor";

using GroupOf = std::string (*)(const GenerationCase&);

std::string network_of(const GenerationCase& at) {
  return at.model.name;
}
std::string device_of(const GenerationCase& at) {
  return at.gpu.id;
}
std::string engine_of(const GenerationCase& at) {
  return at.engine;
}
std::string architecture_group(const GenerationCase& at) {
  return vendor_architecture(at.gpu);
}
std::string vendor_of(const GenerationCase& at) {
  return at.gpu.vendor;
}
// Boards with the same chip run the same kernels: an A100 with 40 GB and one with 80.
bool same_chip(const catalog::Gpu& a, const catalog::Gpu& b) {
  return a.architecture == b.architecture && a.sms == b.sms;
}

std::set<std::string> groups_of(const std::vector<TimedGeneration>& rows, const std::vector<bool>& kept,
                                GroupOf group) {
  std::set<std::string> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (kept[i]) groups.insert(group(rows[i].at));
  }
  return groups;
}

// A group that is left out, while something of `within` it stays: an architecture of a known vendor.
struct LeftOut {
  GroupOf group;
  GroupOf within = nullptr;
};

// What covers the rows of groups that are left out in turn; nothing where there is but one.
double width_without(const GenerationProblem& problem, const std::vector<bool>& kept,
                     const std::vector<double>& start, const LeftOut& what) {
  const auto& rows = problem.rows();
  std::vector<double> errors;
  const auto groups = groups_of(rows, kept, what.group);
  for (const std::string& name : groups) {
    if (groups.size() < 2) break;
    std::vector<bool> inside = kept;
    for (std::size_t i = 0; i < rows.size(); ++i) inside[i] = kept[i] && what.group(rows[i].at) != name;
    const auto staying = what.within ? groups_of(rows, inside, what.within) : std::set<std::string>{};
    const GenerationModel model = problem.model(inside, problem.solve(inside, start));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool counts = !what.within || staying.contains(what.within(rows[i].at));
      if (kept[i] && !inside[i] && counts) errors.push_back(std::abs(log_error(model, rows[i])));
    }
  }
  return errors.empty() ? 0 : stats::sample_quantile(errors, kCoveredShare);
}

GenerationModel model_with_widths(const GenerationProblem& problem, const std::vector<bool>& kept,
                                  const std::vector<double>& start) {
  const std::vector<double> x = problem.solve(kept, start);
  GenerationModel model = problem.model(kept, x);
  const auto widened = [&](double& width, const LeftOut& what) {
    if (const double found = width_without(problem, kept, x, what); found > 0) width = found;
  };
  widened(model.network_width, {network_of});
  widened(model.gpu_width, {architecture_group, vendor_of});
  widened(model.vendor_width, {vendor_of});
  model.vendor_width *= kFewVendors;
  widened(model.engine_width, {engine_of});
  return model;
}

void count_rows(const KernelModel& kernels, std::vector<TimedGeneration>& rows) {
  for (TimedGeneration& row : rows) row.counted = counted_generation(kernels, row.at);
}

// How the rows that were left out are met.
std::vector<stats::AccuracyLine::Case> judged(const GenerationProblem& problem, const GenerationModel& model,
                                              const std::vector<bool>& kept, GroupOf group) {
  std::vector<stats::AccuracyLine::Case> cases;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) continue;
    const TimedGeneration& row = problem.rows()[i];
    const double width = half_width(model, row.at);
    const double away = log_error(model, row);
    const bool vendor = model.departures.contains({"vendor", row.at.gpu.vendor});
    cases.push_back({.group = group(row.at),
                     .mode = !vendor           ? kOtherVendor
                             : row.first_token ? kFirstToken
                                               : "infer",
                     .error = std::abs(std::expm1(away)),
                     .covered = std::abs(away) <= width,
                     .half_width = std::sinh(width)});
  }
  return cases;
}

// The laws of kernels without the boards that have the device's chip.
KernelModel kernels_without(const TimedKernels& timed, const catalog::Catalog& catalog,
                            const catalog::Gpu& gpu) {
  KernelModel model;
  for (const KernelLaw* law : kernel_laws()) {
    const auto found = timed.laws.find(law->id);
    if (found == timed.laws.end()) continue;
    std::vector<TimedCall> calls;
    std::ranges::copy_if(found->second, std::back_inserter(calls), [&](const TimedCall& call) {
      const catalog::Gpu* device = catalog.gpus.find(call.device->id);
      return device == nullptr || !same_chip(*device, gpu);
    });
    if (!calls.empty()) model.laws[law->id] = fit_law(*law, calls, {});
  }
  return model;
}

// The lines of the whole batch and of the first token; where devices were left out, those of the vendor that
// has others, and those whose vendor was left out with them.
std::vector<stats::AccuracyLine> split_lines(const stats::AccuracyLine& all, bool by_vendor) {
  constexpr double kWhole = 0.18;  // a formula fitted to the same rows has 16 to 20 %
  constexpr double kFirst = 0.21;
  const std::string unless = by_vendor ? ", NVIDIA" : "";
  stats::AccuracyLine whole{"LLM inference, static batches" + unless, all.left_out, kWhole};
  stats::AccuracyLine first{"LLM inference, first token" + unless, all.left_out, kFirst};
  stats::AccuracyLine others{"LLM inference, other vendors", "all devices of the vendor"};
  for (const auto& one : all.cases) {
    const bool other = by_vendor && one.mode == kOtherVendor;
    (other ? others : one.mode == kFirstToken ? first : whole).cases.push_back(one);
  }
  std::vector<stats::AccuracyLine> lines = {whole, first};
  if (by_vendor) lines.push_back(others);
  return lines;
}

stats::AccuracyLine without_networks(std::vector<TimedGeneration> rows, Progress& progress) {
  count_rows(builtin_kernel_model(), rows);
  const GenerationProblem problem(rows);
  const std::vector<bool> all(rows.size(), true);
  const auto start = problem.solve(all);
  stats::AccuracyLine line{"", "a network"};
  for (const std::string& name : groups_of(rows, all, network_of)) {
    progress.step(1, 1, "inference without " + name);
    std::vector<bool> kept = all;
    for (std::size_t i = 0; i < rows.size(); ++i) kept[i] = rows[i].at.model.name != name;
    std::ranges::move(judged(problem, model_with_widths(problem, kept, start), kept, network_of),
                      std::back_inserter(line.cases));
  }
  return line;
}

stats::AccuracyLine without_devices(std::vector<TimedGeneration> rows, const std::string& data_folder,
                                    const catalog::Catalog& catalog, Progress& progress) {
  const TimedKernels timed = read_timed_kernels(data_folder, catalog);
  const std::vector<bool> all(rows.size(), true);
  stats::AccuracyLine line{"", "a GPU, and its kernels"};
  for (const std::string& name : groups_of(rows, all, device_of)) {
    progress.step(1, 1, "inference without " + name);
    count_rows(kernels_without(timed, catalog, catalog.gpus.get(name)), rows);
    const GenerationProblem problem(rows);
    std::vector<bool> kept = all;
    for (std::size_t i = 0; i < rows.size(); ++i) kept[i] = rows[i].at.gpu.id != name;
    std::ranges::move(judged(problem, model_with_widths(problem, kept, {}), kept, device_of),
                      std::back_inserter(line.cases));
  }
  return line;
}

}  // namespace

GenerationModel fit_generation(const std::string& data_folder, const catalog::Catalog& catalog) {
  std::vector<TimedGeneration> rows = read_timed_generations(data_folder, catalog);
  if (rows.empty()) throw InputError(at_field("data"), "no measured batches of known networks and devices");
  count_rows(builtin_kernel_model(), rows);
  return model_with_widths(GenerationProblem(rows), std::vector<bool>(rows.size(), true), {});
}

std::vector<stats::AccuracyLine> generation_accuracy(const std::string& data_folder,
                                                     const catalog::Catalog& catalog, Progress& progress) {
  const auto rows = read_timed_generations(data_folder, catalog);
  std::vector<stats::AccuracyLine> lines = split_lines(without_networks(rows, progress), false);
  std::ranges::move(split_lines(without_devices(rows, data_folder, catalog, progress), true),
                    std::back_inserter(lines));
  return lines;
}

}  // namespace sextant::llm
