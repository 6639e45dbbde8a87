// Text that a large language model writes, in the words of its users: lengths of prompts and answers, formats
// of weights and cache, GPUs that share the layers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/jobs/job.h"
#include "sextant/llm/generation.h"
#include "sextant/nets/network.h"

namespace sextant::ask {

struct GenerationFields {
  std::optional<std::int64_t> prompt = {};    // tokens
  std::optional<std::int64_t> generate = {};  // tokens
  std::optional<std::string> weights = {};    // "int4"; else as the products are computed
  std::optional<std::string> cache = {};      // "16-bit" or "fp8"

  [[nodiscard]] bool given() const { return prompt || generate || weights || cache; }
};

// Of an answer about generation, besides what every answer has.
struct Generation {
  std::int64_t prompt = 0;
  std::int64_t generate = 0;
  double sequences = 0;  // of all copies of the network together
  std::string weights;
  std::string cache;
  llm::TimeSpan first_token;
  llm::TimeSpan token;
  double tokens_per_second_per_gpu = 0;
  double at_once = 0;  // sequences of a copy that find room together
  llm::Fit fit = llm::Fit::fits;
  Bytes margin = {};  // what is left of the memory; negative: what lacks
  Bytes cache_bytes = {};
};

// Whether a decoder is asked to infer. InputError, at the field, where its fields were given for something
// else.
bool asks_for_generation(const nets::Network& network, const jobs::Job& job, const GenerationFields& fields);

}  // namespace sextant::ask
