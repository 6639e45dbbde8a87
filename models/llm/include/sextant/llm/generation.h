// Text from a decoder: a batch of prompts is read at once, then one token after the other is written, with
// keys and values kept. Seconds come from the laws of kernels and from what an engine adds around them; bytes
// from weights, cache and activations. Formulas and errors: docs/models/llm-inference.md.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sextant/catalog/gpu.h"
#include "sextant/core/json.h"
#include "sextant/core/units.h"
#include "sextant/llm/kernels.h"
#include "sextant/llm/memory.h"
#include "sextant/nets/decoder.h"

namespace sextant::llm {

inline constexpr const char* kGenerationSchema = "sextant.llm-generation/1";

// How matrices of layers are kept. int8 and int4 are read as such and computed in 16 bits; embedding and head
// stay in 16 bits.
enum class WeightFormat { bf16, fp8, fp8_block, nvfp4, int8, int4 };
std::string to_string(WeightFormat format);
Bytes weight_bytes(WeightFormat format);  // of a parameter, scales included

struct GenerationCase {
  nets::Decoder model;
  catalog::Gpu gpu;
  double tensor = 1;      // GPUs that share each layer
  double batch = 1;       // sequences on those GPUs
  double prompt = 1024;   // tokens of each
  double generate = 128;  // tokens of each; the first comes with the prompt
  WeightFormat weights = WeightFormat::bf16;
  bool fp8_cache = false;
  std::string engine = "vllm";  // as in `engines` of the model
  std::string release = {};     // of it, or where it was measured; empty: any
};
// InputError at the field for sizes and degrees that cannot be.
void check(const GenerationCase& at);

// Seconds of a pass through the network by the laws of kernels, before what the engine adds.
struct PassParts {
  double products = 0;
  double experts = 0;  // routed
  double attention = 0;
  double collectives = 0;
  double memory = 0;  // norms, activations, rotated positions
  double layers = 0;
  double sequences = 0;
  double group = 1;  // queries that share keys and values
};
PassParts prompt_pass(const KernelModel& kernels, const GenerationCase& at);
PassParts token_pass(const KernelModel& kernels, const GenerationCase& at);  // the mean over the tokens

// What engines add: logarithms of shared values, and departures of engines, their releases and
// architectures.
struct GenerationModel {
  std::vector<double> shared;
  std::map<std::pair<std::string, std::string>, std::vector<double>> departures;  // kind and name, by field
  std::map<std::string, int> engines;                                             // with their rows
  std::map<std::string, int> gpus;
  std::map<std::string, int> networks;
  // Half of the 90 % interval in the logarithm, by what was never timed: the network, the
  // architecture (or nothing), all devices of the vendor, the engine.
  double network_width = 0.4, gpu_width = 0.3, vendor_width = 2, engine_width = 0.9;
  int rows = 0;
  double mean_error = 0;  // on the rows of the fit
};

struct TimeSpan {
  Seconds time;
  Seconds low;  // 90 % interval
  Seconds high;
};

struct GenerationTime {
  TimeSpan first_token;
  TimeSpan token;                // each after the first
  TimeSpan total;                // of the whole batch
  double tokens_per_second = 0;  // that are written, of the GPUs that share the layers
  double at_once = 1;            // sequences whose cache finds room together
  PassParts prompt_parts;
  PassParts token_parts;
  bool timed_gpu = true;  // its architecture
  bool timed_vendor = true;
  bool timed_engine = true;
};
GenerationTime generation_time(const KernelModel& kernels, const GenerationModel& model,
                               const GenerationCase& at);

// Bytes on each of the GPUs that share the layers.
struct GenerationMemory {
  Bytes weights;
  Bytes cache;
  Bytes activations;
  Bytes context;  // of the device, the engine's buffers and recorded graphs

  [[nodiscard]] Bytes total() const { return weights + cache + activations + context; }
};
GenerationMemory generation_memory(const GenerationCase& at);
// Tight within 5 %, since engines reserve differently.
MemoryVerdict generation_verdict(const GenerationMemory& memory, Bytes capacity);
// Sequences of this length that find room; 0: not even the weights do.
double sequences_that_fit(const GenerationCase& at, Bytes capacity);

Json to_json(const GenerationModel& model);
GenerationModel generation_model_from_json(const Json& json, const std::string& file);
// The model that ships.
const GenerationModel& builtin_generation_model();

}  // namespace sextant::llm
