// Times of the kernels that large language models spend their time in: matrix products, attention and
// collectives inside a node. Each has a law of tiles over multiprocessors, memory and launches; its
// coefficients are shared values and departures of architectures, drawn to what is assumed beforehand, so
// that a device that was never timed gets the law of its specifications. Formulas and errors:
// docs/models/llm-kernels.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sextant/catalog/gpu.h"
#include "sextant/core/json.h"
#include "sextant/core/units.h"

namespace sextant::llm {

inline constexpr const char* kKernelSchema = "sextant.llm-kernels/1";

// Operands of a product. fp8 has a scale for a tensor, fp8_block one for 128 values, nvfp4 one for 16; values
// are quantised from bf16 before the product, which is part of its time.
enum class GemmFormat { bf16, fp8, fp8_block, nvfp4 };
struct GemmCall {
  double m = 1, n = 1, k = 1;  // an m x k by k x n product
  GemmFormat format = GemmFormat::bf16;
};

struct AttentionCall {
  double batch = 1;
  double length = 1;  // tokens of a sequence; of a decode, those in the cache with the new one
  double heads = 1;
  double kv_heads = 1;
  double head_dim = 128;
  double window = 0;  // tokens; 0: none
  bool fp8_cache = false;
  bool decode = false;  // one new token for each sequence, else all of them
};

// Weights of int8, int4 and mxfp4 are widened to 16 bits.
enum class ExpertFormat { bf16, fp8, fp8_block, nvfp4, int4, mxfp4, int8 };
// The gated experts of a layer on one device: tokens are sorted by expert, multiplied up and down, and added
// up.
struct ExpertsCall {
  double tokens = 1;     // of all devices that share the experts
  double hidden = 4096;  // values of a token
  double width = 14336;  // of an expert, as far as the device has it
  double experts = 8;
  double chosen = 2;  // experts of a token
  double ranks = 1;   // devices that share the experts; the one with most tokens is meant
  double skew = 0;    // power of the law of their loads; 0: all alike. 1.01 and 1.2 were timed
  ExpertFormat format = ExpertFormat::bf16;
};

enum class NodeOperation { all_reduce, all_gather, reduce_scatter, all_to_all };
// NCCL's, or the all-reduce that inference engines bring, recorded in a graph or launched by the host.
enum class CollectiveLibrary { nccl, engine_graph, engine_host };
struct NodeCollective {
  NodeOperation operation = NodeOperation::all_reduce;
  double ranks = 2;
  Bytes bytes;  // of the whole message
  CollectiveLibrary library = CollectiveLibrary::nccl;
};

// Boosted trees whose levels ask one question each (oblivious trees: Prokhorenkova et al. 2018, arXiv
// 1706.09516), for what a law leaves over.
struct ObliviousTree {
  std::vector<int> features;
  std::vector<double> cuts;
  std::vector<double> leaves;  // two to the power of the questions
};

// Coefficients of one law, in the order of its parameters; logarithms where the law says so.
struct FittedLaw {
  std::vector<double> shared;
  std::map<std::string, std::vector<double>> departures;       // by architecture
  std::map<std::string, std::vector<ObliviousTree>> leftover;  // by architecture; "" for those never timed
  double width = 0.3;      // half of the 90 % interval in the logarithm, of architectures that were timed
  double new_width = 0.8;  // of those that were not
  double far_width = 1.5;  // of those of a vendor that was never timed
  int rows = 0;
};

struct KernelModel {
  std::map<std::string, FittedLaw> laws;  // by id: "gemm-fp8"
};

struct KernelTime {
  Seconds time;
  Seconds low;  // 90 % interval
  Seconds high;
  bool timed_architecture = true;
};

// InputError at `gpu` where the catalogue lacks what a law needs: multiprocessors, clock, or a rate of the
// format.
KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const GemmCall& call);
KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const AttentionCall& call);
KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const ExpertsCall& call);
KernelTime kernel_time(const KernelModel& model, const catalog::Gpu& gpu, const NodeCollective& call);

Json to_json(const KernelModel& model);
KernelModel kernel_model_from_json(const Json& json, const std::string& file);
// The model that ships.
const KernelModel& builtin_kernel_model();

}  // namespace sextant::llm
