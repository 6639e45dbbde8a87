// Answers about prompts of large language models: the pass before the first new token.
#pragma once

#include <optional>

#include "sextant/ask/answer.h"
#include "sextant/ask/predict.h"

namespace sextant::ask {

// Whether the laws of kernels answer: inference in 16 bits or less of a large network that they know, by
// nobody's own model or timings.
bool asks_for_prompt(const PredictQuestion& question, const nets::Network& network, const jobs::Job& job);

// All GPUs of a node share every layer. InputError where that is impossible.
Answer prompt_answer(const nets::Decoder& model, const jobs::Job& job, const catalog::Gpu& gpu);

}  // namespace sextant::ask
