// Answers about training large language models.
#pragma once

#include <string>
#include <vector>

#include "decoder_job.h"
#include "sextant/ask/answer.h"

namespace sextant::ask {

// A step with its layout: the one that the fields give, or the best. What was chosen, and why, is a note of
// the prediction. InputError at the field where no layout is possible.
struct PlacedDecoder {
  predict::Prediction prediction;
  DecoderStep step;
  std::string assumed;  // what nobody said and the answer takes for granted; empty: nothing
};
PlacedDecoder place_decoder(const DecoderQuestion& question, const catalog::Catalog& catalog);

Answer decoder_answer(const DecoderQuestion& question, const catalog::Catalog& catalog);

// Sequences that make so many tokens.
std::int64_t sequences_of(double tokens, std::int64_t sequence);

}  // namespace sextant::ask
