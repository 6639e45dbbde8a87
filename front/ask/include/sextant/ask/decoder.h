// Training of large language models, in the words of their users: sequences of a step, layouts over GPUs,
// tokens of the whole job, what is tuned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/catalog/gpu.h"
#include "sextant/jobs/job.h"
#include "sextant/llm/memory.h"
#include "sextant/nets/network.h"

namespace sextant::ask {

struct DecoderFields {
  std::optional<std::string> layout = {};          // "tp=8,pp=4,dp=16,zero=1", or "auto"
  std::optional<std::int64_t> global_batch = {};   // sequences of a step on all GPUs together
  std::optional<double> global_batch_tokens = {};  // instead: tokens, which make whole sequences
  std::optional<double> tokens = {};               // of the whole job
  std::optional<std::string> finetune = {};        // "lora:rank=16,quant=nf4"; everything is trained else

  [[nodiscard]] bool given() const {
    return layout || global_batch || global_batch_tokens || tokens || finetune;
  }
};

// Of an answer about a decoder, besides what every answer has.
struct DecoderStep {
  std::int64_t sequence = 0;  // tokens
  double global_batch = 0;    // sequences of a step
  double micro_batch = 0;     // sequences of a replica at a time
  double accumulation = 1;    // micro-batches of a replica in a step
  double tokens_per_second = 0;
  double tokens_per_second_per_gpu = 0;
  double mfu = 0;  // as llm::StepTime defines it
  llm::Fit fit = llm::Fit::fits;
  Bytes margin = {};  // what is left of the memory; negative: what lacks
};

// Whether the law of large language models answers: a decoder that is trained in 16 bits or less. InputError,
// at the field, where its fields were given for something else.
bool asks_for_decoder(const nets::Network& network, const jobs::Job& job, const DecoderFields& fields);

}  // namespace sextant::ask
