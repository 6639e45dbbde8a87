// Answering a case file, relative to reading and writing the same file as plain CSV: how much more than a
// copy do predictions cost? Rows per second are printed too; the aim is 100,000 on one core.
#include <array>
#include <sstream>
#include <string>

#include "csv_copy.h"
#include "ratio.h"
#include "sextant/predict/case_file.h"
#include "sextant/report/case_report.h"

namespace sextant::bench {
namespace {

constexpr std::array kNets = {"resnet18",     "resnet50",    "resnet101", "vgg16",
                              "alexnet",      "densenet121", "googlenet", "inception-v3",
                              "mobilenet-v2", "mnasnet1-0",  "bert-large"};
constexpr std::array kAskedGpus = {"k80", "p100", "v100", "t4", "a100", "h100", "rtx-2080-ti", "gtx-1080-ti"};
constexpr std::array kBatches = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128};
constexpr std::size_t kDistinct = kNets.size() * kAskedGpus.size() * kBatches.size();
static_assert(kDistinct >= 1000);

// Every case in turn, so that equal rows stand far apart; the last column is the user's own.
std::string sample(std::size_t rows) {
  std::string text = "net,gpu,count,batch,image,seq,classes,mode,precision,stack,optimizer,note\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t batch = row / (kNets.size() * kAskedGpus.size());
    text += std::string(kNets[row % kNets.size()]) + "," +
            kAskedGpus[row / kNets.size() % kAskedGpus.size()] + ",1," +
            std::to_string(kBatches[batch % kBatches.size()]) + ",,,,train,fp32,pytorch,sgd,run " +
            std::to_string(row) + "\n";
  }
  return text;
}

std::size_t answered(const std::string& text, const predict::CaseContext& context) {
  const CsvTable table = CsvTable::parse(text, "cases.csv");
  std::ostringstream out;
  const predict::CaseAnswers answers = answer_cases(table, context);
  write_cases_csv(out, report::case_answers(table, answers));
  return out.str().size();
}

void cases_against_copy(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const std::string text = sample(rows);
  const catalog::Catalog catalog = catalog::builtin_catalog();
  const auto predictor = predict::predictors().get("kernel").make({.catalog = &catalog});
  const predict::CaseContext context{catalog, *predictor};
  report_ratio(
      state, [&] { return answered(text, context); }, [&] { return copied_csv(text); });
  state.counters["distinct"] = static_cast<double>(std::min(rows, kDistinct));
  state.counters["rows_per_s"] =
      static_cast<double>(rows) / seconds_of([&] { return answered(text, context); });
}
BENCHMARK(cases_against_copy)->Arg(10000)->Arg(100000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
