// Large language models: the best layout of a network on many GPUs, advice over a catalogue of SkyPilot's
// size, and files of cases. Each is compared with work that a reader can judge; the seconds are printed too,
// whose aims are below 1 (layout), 3 (advice) and 1 (100,000 cases).
#include <array>
#include <sstream>
#include <string>

#include "csv_copy.h"
#include "ratio.h"
#include "sextant/ask/advise.h"
#include "sextant/ask/predict.h"
#include "sextant/llm/layouts.h"
#include "sextant/report/case_report.h"

namespace sextant::bench {
namespace {

using catalog::Catalog;

const Catalog& decoder_catalog() {
  static const Catalog catalog = catalog::builtin_catalog();
  return catalog;
}

ask::PredictQuestion layout_question(const std::string& net, std::int64_t gpus) {
  ask::PredictQuestion question{.job = {.net = {.name = net}, .precision = "bf16"}, .gpus = {"h100"}};
  question.layout.counts = {gpus};
  question.decoder.global_batch = 2048;
  return question;
}

// Against the answer for a layout that is given.
void best_layout_against_given(benchmark::State& state) {
  const std::string net = state.range(0) == 0 ? "llama-3.1-405b" : "deepseek-v3";
  const ask::PredictQuestion best = layout_question(net, 1024);
  ask::PredictQuestion given = best;
  given.decoder.layout = "tp=8,pp=8,dp=16";
  report_ratio(
      state, [&] { return ask::predict(best, decoder_catalog()).list.size(); },
      [&] { return ask::predict(given, decoder_catalog()).list.size(); });
  state.counters["seconds"] = seconds_of([&] { return ask::predict(best, decoder_catalog()).list.size(); });
  state.SetLabel(net);
}
BENCHMARK(best_layout_against_given)->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);

constexpr std::array kDecoderGpus = {"A100", "A100-80GB", "H100", "H200", "B200",
                                     "L4",   "L40S",      "A10G", "V100", "T4"};
constexpr int kDecoderTypes = 5000;

// Types that differ in host, price, GPUs and network.
std::string decoder_machines() {
  std::string text = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region\n";
  for (int type = 0; type < kDecoderTypes; ++type) {
    const std::string gpu = kDecoderGpus[static_cast<std::size_t>(type) % kDecoderGpus.size()];
    const int count = 1 << (static_cast<std::size_t>(type) / kDecoderGpus.size() % 4);
    text += "type-" + std::to_string(type) + "," + gpu + "," + std::to_string(count) + "," +
            std::to_string(8 * count) + "," + std::to_string(64 * count) + "," +
            std::to_string(2.5 * count + 0.001 * type) + "," + std::to_string(0.8 * count) + ",here\n";
  }
  return text;
}

Catalog with_machines(const std::string& text) {
  const catalog::CatalogFile file{"bench/vms.csv", text};
  return overlay(decoder_catalog(), {&file, 1});
}

// Against reading the catalogue.
void decoder_advice_against_reading(benchmark::State& state) {
  const std::string text = decoder_machines();
  const Catalog catalog = with_machines(text);
  ask::AdviseQuestion question;
  question.plan.job.net.name = "llama-3-70b";
  question.plan.decoder.tokens = 15e12;
  question.plan.deadline = "60d";
  question.plan.link = "infiniband-ndr";
  NoProgress silent;
  const auto advised = [&] { return advise(question, catalog, silent).advice.ranked.size(); };
  report_ratio(state, advised, [&] { return with_machines(text).machines.all().size(); });
  state.counters["types"] = static_cast<double>(catalog.machines.all().size());
  state.counters["seconds"] = seconds_of(advised);
}
BENCHMARK(decoder_advice_against_reading)->UseManualTime()->Unit(benchmark::kMillisecond);

// Rows that all differ, as in tables of measured steps.
std::string decoder_cases(std::size_t rows) {
  constexpr std::array kDecoders = {"llama-3-8b", "llama-3-70b", "mixtral-8x7b", "mpt-7b", "qwen3-30b-a3b"};
  constexpr std::array kDevices = {"h100-sxm-80gb", "a100-sxm4-80gb", "b200-sxm", "h200-sxm"};
  std::string text = "model,task,gpu,gpus,precision,seq_len,micro_batch,global_batch,dp,tp,pp,framework\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t tp = std::size_t{1} << (row % 4);
    const std::size_t dp = 1 + row / 80;
    text += std::string(kDecoders[row % kDecoders.size()]) + ",pretrain," +
            kDevices[row / 5 % kDevices.size()] + "," + std::to_string(dp * tp * 2) + ",bf16," +
            (row / 20 % 2 == 0 ? "4096" : "8192") + ",1," + std::to_string(dp * 16) + "," +
            std::to_string(dp) + "," + std::to_string(tp) + ",2,Megatron-Bridge\n";
  }
  return text;
}

std::size_t answered_steps(const std::string& text) {
  const CsvTable table = CsvTable::parse(text, "steps.csv");
  std::ostringstream out;
  report::write_cases_csv(
      out, report::case_answers(table, ask::predict_decoder_cases({}, table, decoder_catalog())));
  return out.str().size();
}

// Against reading and writing the same file as plain CSV.
void decoder_cases_against_copy(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const std::string text = decoder_cases(rows);
  report_ratio(
      state, [&] { return answered_steps(text); }, [&] { return copied_csv(text); });
  state.counters["seconds"] = seconds_of([&] { return answered_steps(text); });
}
BENCHMARK(decoder_cases_against_copy)->Arg(100000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
