#include "sextant/report/prediction_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sentence.h"

namespace sextant::report {
namespace {

using ask::Answer;
using enum Importance;

constexpr const char* kOutside = "*";
constexpr const char* kAtLeast = ">=";

Cell step_cell(const predict::Prediction& p) {
  Cell cell(p.iteration);
  if (!p.interval.high) cell.shown = std::string(kAtLeast) + " " + cell.shown;
  if (p.extrapolating) cell.shown += std::string(" ") + kOutside;
  return cell;
}

// Hundreds of digits tell nobody anything, and a single device has no layout to show.
Cell placement_cell(const jobs::Placement& placement) {
  constexpr std::int64_t kReadable = 16;
  Cell cell(to_string(placement));
  if (placement.nodes() > kReadable) {
    cell.shown = std::to_string(placement.nodes()) + (placement.even() ? " x " : " x up to ") +
                 std::to_string(placement.fullest());
  }
  if (placement.total() == 1) cell.shown.clear();
  return cell;
}

Cell text_or_nothing(const std::string& text) {
  return text.empty() ? Cell() : Cell(text);
}

Fields<Answer> job_fields() {
  return {
      {"net", "net", [](const Answer& a) { return Cell(a.job.net); }, identity},
      {"gpu", "gpu", [](const Answer& a) { return Cell(a.gpu); }, identity},
      {"machine", "machine", [](const Answer& a) { return text_or_nothing(a.job.layout.machine); }, identity},
      {"count", "count", [](const Answer& a) { return Cell(a.job.layout.devices()); }, identity},
      {"nodes", "nodes", [](const Answer& a) { return Cell(a.job.layout.placement.nodes()); }, detail},
      {"placement", "placement", [](const Answer& a) { return placement_cell(a.job.layout.placement); },
       identity},
      {"strategy", "strategy", [](const Answer& a) { return text_or_nothing(a.prediction.strategy); },
       identity},
      {"layout", "layout", [](const Answer& a) { return text_or_nothing(a.prediction.degrees); }},
      {"batch", "batch", [](const Answer& a) { return Cell(a.job.sizes.batch); }, identity},
      {"global_batch", "", [](const Answer& a) { return Cell(a.step_samples()); }, detail},
      {"mode", "", [](const Answer& a) { return Cell(to_string(a.job.mode)); }, detail},
      {"precision", "", [](const Answer& a) { return Cell(to_string(a.job.precision)); }, detail},
      {"optimizer", "", [](const Answer& a) { return Cell(to_string(a.job.optimizer)); }, detail},
      {"stack", "", [](const Answer& a) { return Cell(a.job.stack); }, detail},
  };
}

Fields<Answer> step_fields() {
  return {
      {"iteration_s", "step", [](const Answer& a) { return step_cell(a.prediction); }, essential},
      {"low_s", "90 % low", [](const Answer& a) { return Cell(a.prediction.interval.low); }, essential},
      {"high_s", "90 % high", [](const Answer& a) { return Cell(a.prediction.interval.high); }, essential},
      {"samples_per_s", "samples/s", [](const Answer& a) { return Cell(a.samples_per_second()); }},
      {"breakdown.compute_s", "", [](const Answer& a) { return Cell(a.prediction.breakdown.compute); },
       detail},
      {"breakdown.communication_s", "",
       [](const Answer& a) { return Cell(a.prediction.breakdown.communication); }, detail},
      {"breakdown.input_s", "", [](const Answer& a) { return Cell(a.prediction.breakdown.input); }, detail},
      {"breakdown.overhead_s", "", [](const Answer& a) { return Cell(a.prediction.breakdown.overhead); },
       detail},
  };
}

// Of large language models alone.
template <class Get>
auto of_decoder(Get get) {
  return [get](const Answer& a) { return a.decoder ? Cell(get(*a.decoder)) : Cell(); };
}

Fields<Answer> decoder_fields() {
  using ask::DecoderStep;
  return {
      {"seq", "seq", of_decoder([](const DecoderStep& d) { return d.sequence; }), identity},
      {"global_batch_tokens", "",
       of_decoder([](const DecoderStep& d) { return d.global_batch * static_cast<double>(d.sequence); }),
       detail},
      {"micro_batch", "", of_decoder([](const DecoderStep& d) { return d.micro_batch; }), detail},
      {"accumulation", "", of_decoder([](const DecoderStep& d) { return d.accumulation; }), detail},
      {"tokens_per_s", "tokens/s", of_decoder([](const DecoderStep& d) { return d.tokens_per_second; })},
      {"tokens_per_s_per_gpu", "tokens/s/GPU",
       of_decoder([](const DecoderStep& d) { return d.tokens_per_second_per_gpu; }), essential},
      {"mfu", "MFU", of_decoder([](const DecoderStep& d) { return d.mfu; }), essential},
      {"memory_verdict", "memory verdict",
       of_decoder([](const DecoderStep& d) { return llm::to_string(d.fit); }), essential},
      {"memory_margin_bytes", "margin", of_decoder([](const DecoderStep& d) { return d.margin; })},
  };
}

// Of text that is written alone.
template <class Get>
auto of_generation(Get get) {
  return [get](const Answer& a) { return a.generation ? Cell(get(*a.generation)) : Cell(); };
}

Fields<Answer> generation_fields() {
  using ask::Generation;
  return {
      {"prompt_tokens", "prompt", of_generation([](const Generation& g) { return g.prompt; }), identity},
      {"generated_tokens", "tokens", of_generation([](const Generation& g) { return g.generate; }), identity},
      {"weights_format", "", of_generation([](const Generation& g) { return g.weights; }), detail},
      {"cache_format", "", of_generation([](const Generation& g) { return g.cache; }), detail},
      {"first_token_s", "first token", of_generation([](const Generation& g) { return g.first_token.time; }),
       essential},
      {"first_token_low_s", "", of_generation([](const Generation& g) { return g.first_token.low; }), detail},
      {"first_token_high_s", "", of_generation([](const Generation& g) { return g.first_token.high; }),
       detail},
      {"token_s", "each token", of_generation([](const Generation& g) { return g.token.time; }), essential},
      {"token_low_s", "", of_generation([](const Generation& g) { return g.token.low; }), detail},
      {"token_high_s", "", of_generation([](const Generation& g) { return g.token.high; }), detail},
      {"tokens_per_s_per_gpu", "tokens/s/GPU",
       of_generation([](const Generation& g) { return g.tokens_per_second_per_gpu; }), essential},
      {"sequences_at_once", "", of_generation([](const Generation& g) { return g.at_once; }), detail},
      {"cache_bytes", "cache", of_generation([](const Generation& g) { return g.cache_bytes; })},
      {"memory_verdict", "verdict", of_generation([](const Generation& g) { return llm::to_string(g.fit); }),
       detail},
      {"memory_margin_bytes", "", of_generation([](const Generation& g) { return g.margin; }), detail},
  };
}

Fields<Answer> memory_fields() {
  return {
      {"memory_bytes", "memory", [](const Answer& a) { return Cell(a.prediction.memory.total()); }},
      {"gpu_memory_bytes", "GPU memory", [](const Answer& a) { return Cell(a.gpu_memory); }},
      {"fits", "fits", [](const Answer& a) { return Cell(a.prediction.fits); }, essential},
      {"memory.weights_bytes", "", [](const Answer& a) { return Cell(a.prediction.memory.weights); }, detail},
      {"memory.gradients_bytes", "", [](const Answer& a) { return Cell(a.prediction.memory.gradients); },
       detail},
      {"memory.optimizer_bytes", "", [](const Answer& a) { return Cell(a.prediction.memory.optimizer); },
       detail},
      {"memory.activations_bytes", "", [](const Answer& a) { return Cell(a.prediction.memory.activations); },
       detail},
      {"memory.workspace_bytes", "", [](const Answer& a) { return Cell(a.prediction.memory.workspace); },
       detail},
      {"memory.context_bytes", "", [](const Answer& a) { return Cell(a.prediction.memory.context); }, detail},
  };
}

Fields<Answer> cost_fields() {
  return {
      {"usd_per_hour", "price", [](const Answer& a) { return Cell(a.price); }},
      {"total_s", "total time", [](const Answer& a) { return Cell(a.total_time()); }, essential},
      {"total_usd", "total cost", [](const Answer& a) { return Cell(a.total_cost()); }, essential},
      {"extrapolating", "", [](const Answer& a) { return Cell(a.prediction.extrapolating); }, detail},
      {"model", "", [](const Answer& a) { return Cell(a.prediction.model); }, detail},
      {"warnings", "", [](const Answer& a) { return Cell::nested(a.prediction.warnings); }, detail},
      {"outside", "", [](const Answer& a) { return Cell::nested(a.prediction.outside); }, detail},
  };
}

std::vector<std::string> notes_on(const std::vector<Answer>& answers) {
  const auto any = [&](const auto& has) { return std::ranges::any_of(answers, has); };
  std::vector<std::string> notes;
  if (any([](const Answer& a) { return !a.job.layout.machine.empty() && a.job.layout.devices() == 1; })) {
    notes.emplace_back("One GPU of each machine works; the price is that of the whole machine.");
  }
  if (any([](const Answer& a) {
        return a.total_time() && !a.total_cost() && a.job.layout.machine.empty();
      })) {
    notes.emplace_back(
        "GPUs have no price, machines have: `machine` all says what the job costs, and where.");
  }
  return notes;
}

}  // namespace

Result predictions_result(const std::vector<Answer>& answers, const std::vector<std::string>& notes) {
  const bool decoders = std::ranges::any_of(answers, [](const Answer& a) { return a.decoder.has_value(); });
  const bool writing = std::ranges::any_of(answers, [](const Answer& a) { return a.generation.has_value(); });
  Fields<Answer> fields =
      joined({job_fields(), step_fields(), decoders ? decoder_fields() : Fields<Answer>{},
              writing ? generation_fields() : Fields<Answer>{}, memory_fields(), cost_fields()});
  if (writing) {
    fields = explained(with_importance(fields, detail, {"samples_per_s", "placement"}),
                       {{"first_token_s", "until the first token of every sequence is there"},
                        {"token_s", "after the first"},
                        {"tokens_per_s_per_gpu", "written tokens; those of prompts are not counted"}});
  }
  if (decoders) {
    fields = explained(with_importance(fields, detail, {"batch", "samples_per_s", "placement"}),
                       {{"mfu",
                         "FLOPs of the model, 6 for each active parameter and token and causal attention, "
                         "over the peak of the GPUs"}});
    fields = with_importance(titled(fields, {{"global_batch", "sequences"}}), identity, {"global_batch"});
  } else if (std::ranges::any_of(answers, [](const Answer& a) { return a.job.layout.devices() > 1; })) {
    fields = explained(titled(fields, {{"batch", "batch/GPU"}}),
                       {{"batch", "samples of a step on each GPU; a step handles count x batch/GPU"}});
  }
  // Where something does not fit, people ask by how much.
  if (std::ranges::any_of(answers, [](const Answer& a) { return !a.prediction.fits; })) {
    fields = with_importance(fields, essential, {"memory_bytes", "gpu_memory_bytes"});
  }
  // The verdict says more.
  if (std::ranges::all_of(answers, [](const Answer& a) { return a.decoder.has_value(); }))
    fields = with_importance(fields, detail, {"fits"});
  Table table = table_of(fields, answers);
  table.marks = {
      {kAtLeast,
       "a lower bound, from peak rates or with operators that are not known; real steps take longer."},
      {kOutside, "outside what the model was fitted on; the interval is wider."}};
  table.notes = notes_on(answers);
  for (const std::string& note : notes) table.notes.push_back(sentence(note));
  return {.schema = "sextant.predictions/2", .sections = {{.key = "predictions", .table = std::move(table)}}};
}

}  // namespace sextant::report
