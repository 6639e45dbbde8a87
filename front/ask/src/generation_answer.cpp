#include "generation_answer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "decoder_job.h"
#include "sextant/core/text.h"
#include "sextant/llm/layouts.h"

namespace sextant::ask {
namespace {

constexpr std::int64_t kUsualPrompt = 1024;  // tokens
constexpr std::int64_t kUsualAnswer = 128;   // tokens
constexpr double kMostTensorDegree = 16;

// Engines by the names of stacks here. Who names none is answered by the most used one.
std::string engine_of(const std::string& stack) {
  if (stack == "pytorch") return "vllm";
  const auto& known = llm::builtin_generation_model().engines;
  if (known.contains(stack)) return stack;
  std::vector<std::string> names;
  for (const auto& [name, rows] : known) names.push_back(name);
  throw InputError(at_field("stack"), "'" + stack + "' is not known to serve large language models",
                   "one of: " + join(names, ", "));
}

llm::WeightFormat weights_of(const GenerationQuestion& q) {
  static const std::map<std::string, llm::WeightFormat> known = {
      {"16-bit", llm::WeightFormat::bf16},         {"fp8", llm::WeightFormat::fp8},
      {"fp8-block", llm::WeightFormat::fp8_block}, {"nvfp4", llm::WeightFormat::nvfp4},
      {"int8", llm::WeightFormat::int8},           {"int4", llm::WeightFormat::int4}};
  if (q.fields.weights) {
    const auto found = known.find(*q.fields.weights);
    if (found != known.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, format] : known) names.push_back(name);
    throw InputError(at_field("weights"), "'" + *q.fields.weights + "' is no format of weights",
                     "one of: " + join(names, ", "));
  }
  return formats_of(q.job.precision).weights;
}

bool cache_in_fp8(const GenerationFields& fields) {
  if (!fields.cache || *fields.cache == "16-bit") return false;
  if (*fields.cache == "fp8") return true;
  throw InputError(at_field("cache"), "'" + *fields.cache + "' is no format of the cache",
                   "one of: 16-bit, fp8");
}

llm::GenerationCase case_of(const GenerationQuestion& q) {
  llm::GenerationCase at;
  at.model = q.model;
  at.gpu = q.gpu;
  at.batch = static_cast<double>(q.job.sizes.batch);
  at.generate = static_cast<double>(q.fields.generate.value_or(kUsualAnswer));
  at.prompt = static_cast<double>(q.fields.prompt.value_or(q.job.sizes.seq.value_or(kUsualPrompt)));
  at.weights = weights_of(q);
  at.fp8_cache = cache_in_fp8(q.fields);
  at.engine = engine_of(q.job.stack);
  return at;
}

struct Served {
  llm::GenerationCase at;
  double copies = 1;
  llm::GenerationTime time;
  llm::GenerationMemory memory;
  llm::MemoryVerdict verdict;

  [[nodiscard]] double tokens_per_second() const { return copies * time.tokens_per_second; }
  [[nodiscard]] bool fits() const { return verdict.fit != llm::Fit::does_not_fit; }
};

Served served(llm::GenerationCase at, double tensor, double copies) {
  at.tensor = tensor;
  Served s{.at = at, .copies = copies, .time = {}, .memory = {}, .verdict = {}};
  s.time = generation_time(llm::builtin_kernel_model(), llm::builtin_generation_model(), at);
  const Bytes capacity = llm::usable_memory(at.gpu);
  if (s.time.at_once >= at.batch) {
    s.memory = generation_memory(at);
    s.verdict = generation_verdict(s.memory, capacity);
    return s;
  }
  // The others wait: the cache takes what there is, and whether it fits is asked of one sequence.
  at.batch = 1;
  const llm::Fit alone = generation_verdict(generation_memory(at), capacity).fit;
  at.batch = s.time.at_once;
  s.memory = generation_memory(at);
  s.verdict = generation_verdict(s.memory, capacity);
  s.verdict.fit = alone;
  return s;
}

std::string degrees_text(const Served& s) {
  return "tp=" + number_text(s.at.tensor) + ",dp=" + number_text(s.copies);
}

Served given(const GenerationQuestion& q, const llm::GenerationCase& at) {
  const double gpus = static_cast<double>(q.job.layout.devices());
  const llm::LayoutText text = llm::parse_layout(*q.layout, at_field("layout"));
  const llm::StepLayout& l = text.layout;
  if (l.pp > 1 || l.cp > 1 || l.ep > 1)
    throw InputError(at_field("layout"), "only tp and dp are known for inference", "such as tp=2,dp=4");
  const auto tensor = static_cast<double>(l.tp);
  const double copies = text.dp ? static_cast<double>(*text.dp) : std::max(1.0, gpus / tensor);
  if (tensor * copies != gpus)
    throw InputError(at_field("layout"), "tp x dp is " + number_text(tensor * copies) + ", but there are " +
                                             number_text(gpus) + " GPUs");
  if (tensor > static_cast<double>(q.job.layout.placement.fullest()))
    throw InputError(at_field("layout"), "tensor parallelism stays in a node of " +
                                             std::to_string(q.job.layout.placement.fullest()) + " GPUs");
  return served(at, tensor, copies);
}

// Those that fit first, then by tokens.
std::vector<Served> ranked(const GenerationQuestion& q, const llm::GenerationCase& at) {
  const double gpus = static_cast<double>(q.job.layout.devices());
  const double node = std::min(kMostTensorDegree, static_cast<double>(q.job.layout.placement.fullest()));
  std::vector<Served> all;
  for (double tensor = 1; tensor <= node; tensor *= 2) {
    if (std::fmod(gpus, tensor) != 0 || std::fmod(static_cast<double>(q.model.heads), tensor) != 0) continue;
    all.push_back(served(at, tensor, gpus / tensor));
  }
  std::ranges::stable_sort(all, [](const Served& a, const Served& b) {
    if (a.fits() != b.fits()) return a.fits();
    return a.fits() ? a.tokens_per_second() > b.tokens_per_second() : a.at.tensor > b.at.tensor;
  });
  return all;
}

predict::Breakdown breakdown_of(const Served& s) {
  const double waves = s.at.batch / s.time.at_once;
  const auto whole = [&](double prompt, double token) {
    return Seconds{waves * (prompt + (s.at.generate - 1) * token)};
  };
  const llm::PassParts& p = s.time.prompt_parts;
  const llm::PassParts& t = s.time.token_parts;
  predict::Breakdown b;
  b.compute =
      whole(p.products + p.experts + p.attention + p.memory, t.products + t.experts + t.attention + t.memory);
  b.communication = whole(p.collectives, t.collectives);
  b.overhead = Seconds{std::max(0.0, (s.time.total.time - b.compute - b.communication).value)};
  return b;
}

std::vector<std::string> outside_of(const Served& s) {
  std::vector<std::string> reasons;
  const nets::Decoder& m = s.at.model;
  if (!s.time.timed_gpu)
    reasons.push_back("no batch on the architecture of " + s.at.gpu.id + " was in the fit");
  if (s.at.gpu.sms == 0 || !s.at.gpu.boost)
    reasons.push_back("the catalogue lacks multiprocessors or clock of " + s.at.gpu.id);
  if (m.attention == nets::AttentionKind::mla || m.keeping_layers() < m.layers)
    reasons.emplace_back("no such attention was in the fit");
  const bool quantised = s.at.weights != llm::WeightFormat::bf16 && s.at.weights != llm::WeightFormat::fp8;
  if (quantised) reasons.push_back("no weights in " + to_string(s.at.weights) + " were in the fit");
  return reasons;
}

std::vector<std::string> notes_of(const GenerationQuestion& q, const Served& s) {
  std::vector<std::string> notes;
  notes.push_back("a step reads prompts of " + number_text(s.at.prompt) + " tokens and writes " +
                  number_text(s.at.generate) + " to each, as " + s.at.engine + " does it");
  if (!is_half(q.job.precision))
    notes.emplace_back(
        "the answer is for 16 bits, in which engines serve; `precision` and `weights` name others");
  if (s.time.at_once < s.at.batch) {
    notes.push_back("of " + number_text(s.at.batch) + " sequences, " + number_text(s.time.at_once) +
                    " find room in the memory at once; the others wait for their turn");
  }
  return notes;
}

predict::Prediction prediction_of(const GenerationQuestion& q, const Served& s) {
  const llm::GenerationMemory& m = s.memory;
  predict::Prediction p{.iteration = s.time.total.time,
                        .interval = {s.time.total.low, s.time.total.high},
                        .breakdown = breakdown_of(s),
                        .memory = {.weights = m.weights,
                                   .gradients = {},
                                   .optimizer = {},
                                   .activations = m.activations,
                                   .workspace = m.cache,
                                   .context = m.context},
                        .fits = s.fits(),
                        .model = "llm-generation",
                        .strategy = {},
                        .degrees = q.job.layout.devices() > 1 ? degrees_text(s) : "",
                        .warnings = {},
                        .outside = outside_of(s),
                        .notes = notes_of(q, s)};
  p.extrapolating = !p.outside.empty();
  if (s.verdict.fit == llm::Fit::tight)
    p.warnings.push_back(s.at.gpu.id + ": the memory is tight; it may not suffice");
  return p;
}

}  // namespace

bool asks_for_generation(const nets::Network& network, const jobs::Job& job, const GenerationFields& fields) {
  const bool decoder = network.decoder && network.decoder->kind == nets::TransformerKind::decoder;
  const bool infers = decoder && job.mode == jobs::Mode::infer;
  if (infers || !fields.given()) return infers;
  const char* field = fields.prompt     ? "prompt"
                      : fields.generate ? "generate"
                      : fields.weights  ? "weights"
                                        : "cache";
  if (!decoder) {
    throw InputError(at_field(field), "'" + network.id + "' is no large language model",
                     "use a decoder by its name, such as llama-3-8b, or the path of its config.json");
  }
  throw InputError(at_field(field), "this is for inference, not for training", "add '`mode` infer'");
}

Answer generation_answer(const GenerationQuestion& q) {
  const llm::GenerationCase at = case_of(q);
  const bool chosen = q.layout && *q.layout != "auto";
  std::vector<Served> all = chosen ? std::vector<Served>{given(q, at)} : ranked(q, at);
  const Served& s = all.front();
  Answer answer{.job = q.job,
                .gpu = q.gpu.id,
                .prediction = prediction_of(q, s),
                .price = {},
                .gpu_memory = q.gpu.memory};
  if (!is_half(answer.job.precision)) answer.job.precision = Precision::bf16;
  if (all.size() > 1) {
    answer.prediction.notes.push_back(
        degrees_text(s) + (s.fits() ? " writes most tokens of those that fit" : " needs least memory") +
        "; next is " + degrees_text(all[1]) + " with " +
        std::to_string(std::lround(100 * all[1].tokens_per_second() / s.tokens_per_second())) +
        " % of its tokens/s" + (all[1].fits() ? "" : ", which does not fit"));
  }
  answer.generation = Generation{.prompt = static_cast<std::int64_t>(at.prompt),
                                 .generate = static_cast<std::int64_t>(at.generate),
                                 .sequences = s.copies * at.batch,
                                 .weights = to_string(at.weights),
                                 .cache = at.fp8_cache ? "fp8" : "16-bit",
                                 .first_token = s.time.first_token,
                                 .token = s.time.token,
                                 .tokens_per_second_per_gpu = s.time.tokens_per_second / s.at.tensor,
                                 .at_once = s.time.at_once,
                                 .fit = s.verdict.fit,
                                 .margin = s.verdict.margin(),
                                 .cache_bytes = s.memory.cache};
  return answer;
}

std::int64_t most_sequences(const GenerationQuestion& q) {
  constexpr double kSure = 0.95;  // so that the answer fits and is not tight
  llm::GenerationCase at = case_of(q);
  // Activations grow with the batch, until prompts are read in parts.
  std::int64_t batch = 1;
  for (int round = 0; round < 3; ++round) {
    at.batch = static_cast<double>(std::max<std::int64_t>(batch, 1));
    batch = static_cast<std::int64_t>(sequences_that_fit(at, kSure * llm::usable_memory(at.gpu)));
  }
  return batch;
}

}  // namespace sextant::ask
