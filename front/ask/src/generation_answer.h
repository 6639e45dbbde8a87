// Answers about text that large language models write.
#pragma once

#include "sextant/ask/answer.h"
#include "sextant/ask/generation.h"
#include "sextant/catalog/catalog.h"

namespace sextant::ask {

struct GenerationQuestion {
  const nets::Decoder& model;
  const GenerationFields& fields;
  const std::optional<std::string>& layout;  // "tp=2,dp=4", or "auto"
  const jobs::Job& job;                      // the batch is that of a copy of the network
  const catalog::Gpu& gpu;
};

// With `auto`, or none, the tensor degree that writes most tokens and fits. What was chosen is a note.
Answer generation_answer(const GenerationQuestion& question);
// The most sequences of this length that fit the device with its cache; 0: not even one.
std::int64_t most_sequences(const GenerationQuestion& question);

}  // namespace sextant::ask
