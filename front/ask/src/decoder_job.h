// What people say of training a large language model, as a case of the law and of the counts of memory.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/decoder.h"
#include "sextant/ask/job_fields.h"
#include "sextant/catalog/catalog.h"
#include "sextant/llm/generation.h"
#include "sextant/llm/memory.h"

namespace sextant::ask {

// Where and what: `job` has the layout's placement, machine and link, and the batch of each GPU.
struct DecoderQuestion {
  const nets::Network& network;  // a decoder
  const DecoderFields& fields;
  const jobs::Job& job;
  const catalog::Gpu& gpu;
};

// Tokens of a sequence: those that a network by name was trained with, of a file at most 4,096, unless the
// job says otherwise.
std::int64_t sequence_length(const nets::Network& network, const jobs::Job& job);
// Sequences of a step on all GPUs together, if anybody said so.
std::optional<std::int64_t> said_global_batch(const DecoderFields& fields, std::int64_t sequence);

// Everything but the layout. InputError at the field that is wrong.
llm::MemoryQuestion decoder_job(const DecoderQuestion& question, const catalog::Catalog& catalog);

// InputError where a question about a large language model names what its laws do not use.
void check_law_fields(const ModelFields& model, const std::vector<std::string>& strategies);

// Unless it is said, large language models are trained in bf16, everything else in fp32.
bool trains_in_bf16(const nets::Network& network, const jobs::Job& job, const DecoderFields& fields);

// What a precision is called by the laws: of the products of training, and of weights that are only read.
// What they do not know is taken for bf16.
struct PrecisionFormats {
  Precision precision;
  llm::Format products;
  llm::WeightFormat weights;
};
const PrecisionFormats& formats_of(Precision precision);

// Whether this software, by its name here, is known to train large language models; and the software of the
// measured steps that answers for it. InputError at the field where there is none.
bool trains_decoders(const std::string& stack);
std::string framework_of(const std::string& stack);
// llm-foundry tells mixed bf16 from pure bf16; what the others call bf16 keeps fp32 weights beside.
llm::Format format_of(Precision precision, const std::string& framework);

}  // namespace sextant::ask
