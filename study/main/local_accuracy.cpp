// sextant-local-accuracy FOLDER [THREADS [BUDGET_S]]: calibrates this machine into FOLDER unless that has
// been done, then trains known networks here and prints how far their predictions are off, and how far the
// per-layer regression is.
#include "sextant/study/local_accuracy.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "sextant/catalog/catalog.h"
#include "sextant/study/calibrate.h"

namespace sextant {
namespace {

std::filesystem::path worker_beside(const char* program) {
  return std::filesystem::absolute(program).parent_path() / "sextant-worker";
}

void print_rows(const std::vector<AccuracyRow>& rows) {
  std::printf(
      "| network | image | batch | measured ms | predicted ms | error |\n|---|---|---|---|---|---|\n");
  for (const AccuracyRow& row : rows) {
    const Sizes sizes = bind(find_network(row.what.net), row.what.sizes);
    std::printf("| %s | %lld | %lld | %.1f | %.1f | %+.1f %%%s |\n", row.what.net.c_str(),
                static_cast<long long>(sizes.image), static_cast<long long>(sizes.batch),
                1e3 * row.measured_s, 1e3 * row.predicted_s, 100 * row.error(),
                row.extrapolating ? " (outside)" : "");
  }
  const ErrorMeans means = error_means(rows);
  std::printf(
      "mean |error|: %.1f %% of rows, %.1f %% of networks; %.0f %% of rows within their 90 %% interval\n",
      100 * means.rows, 100 * means.networks, 100 * means.inside);
}

void print_transfer(const std::vector<TransferRow>& rows) {
  std::printf(
      "| per-layer fitted on | asked | batch | measured ms | predicted ms | error "
      "|\n|---|---|---|---|---|---|\n");
  std::map<std::string, std::pair<double, double>> means;
  for (const TransferRow& row : rows) {
    const double error = row.predicted_s / row.measured_s - 1;
    means[row.fitted_on].first += std::abs(error);
    means[row.fitted_on].second += 1;
    std::printf("| %s | %s | %lld | %.1f | %.1f | %+.1f %% |\n", row.fitted_on.c_str(), row.asked.c_str(),
                static_cast<long long>(row.batch), 1e3 * row.measured_s, 1e3 * row.predicted_s, 100 * error);
  }
  for (const auto& [net, sum] : means) {
    std::printf("mean |error| fitted on %s: %.1f %%\n", net.c_str(), 100 * sum.first / sum.second);
  }
}

int run(int argc, char** argv) {
  CalibrateOptions options;
  options.folder = argv[1];
  options.worker = worker_beside(argv[0]);
  if (argc > 2) options.threads = std::atoll(argv[2]);
  if (argc > 3) options.budget_s = std::atof(argv[3]);
  LineProgress progress(std::cerr);
  const std::string file = (options.folder / (options.id + ".toml")).string();
  if (!std::filesystem::exists(file)) {
    const LocalCalibration done = calibrate(options, progress);
    std::printf("calibration: %.0f s, %zu networks, %zu operators; left-out networks: mean error %.1f %%\n",
                done.seconds, done.networks, done.operators, 100 * done.device.mean_error);
    for (const std::string& warning : done.warnings) std::printf("warning: %s\n", warning.c_str());
  }
  const std::vector<std::string> files = {file};
  const Catalog catalog = load_catalog(files);
  const Gpu& gpu = catalog.gpus.get(options.id);
  const CalibratedDevice device = load_calibration(gpu);
  AccuracyOptions accuracy;
  accuracy.cases = usual_accuracy_cases();
  accuracy.threads = device.threads;
  accuracy.worker = options.worker;
  print_rows(local_accuracy(device, gpu, accuracy, progress));
  TransferOptions transfer;
  transfer.threads = device.threads;
  transfer.worker = options.worker;
  print_transfer(per_layer_transfer(gpu, transfer, progress));
  return 0;
}

}  // namespace
}  // namespace sextant

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: sextant-local-accuracy FOLDER [THREADS [BUDGET_S]]\n");
    return 2;
  }
  try {
    return sextant::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
