// Answers about training large language models.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/answer.h"
#include "sextant/ask/decoder.h"
#include "sextant/catalog/catalog.h"

namespace sextant::ask {

// Where and what: `job` has the layout's placement, machine and link, and the batch of each GPU.
struct DecoderQuestion {
  const nets::Decoder& model;
  const DecoderFields& fields;
  const jobs::Job& job;
  const catalog::Gpu& gpu;
};

// The best layout of those that the fields allow. What was chosen, and why, is a note of the prediction.
Answer decoder_answer(const DecoderQuestion& question, const catalog::Catalog& catalog);

}  // namespace sextant::ask
