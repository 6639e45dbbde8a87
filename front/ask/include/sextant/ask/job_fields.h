// What people say of a job, field by field, and what it becomes. Questions about predictions, advice and
// simulations share these groups.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/jobs/job.h"
#include "sextant/predict/predictor.h"

namespace sextant::ask {

struct NetFields {
  std::string name = {};                     // of the zoo, or the path of an ONNX file
  std::optional<std::int64_t> image = {};    // height and width, in pixels
  std::optional<std::int64_t> seq = {};      // tokens in a sequence
  std::optional<std::int64_t> classes = {};  // that the network tells apart

  [[nodiscard]] nets::Binding binding(std::int64_t batch) const { return {batch, image, seq, classes}; }
};

// What is run, by which software.
struct JobFields {
  NetFields net = {};
  std::string mode = "train";
  std::optional<std::string> precision = {};  // fp32, of large language models bf16
  std::string stack = "pytorch";
  std::string optimizer = "sgd";
};

// On one device, with no end.
jobs::Job job_of(const JobFields& fields, std::int64_t batch);

// Nothing if nothing was said; one pass where only the samples were. InputError for passes over nothing.
std::optional<jobs::Duration> duration_of(const std::optional<std::int64_t>& samples,
                                          const std::optional<double>& epochs);

// The model that answers.
struct ModelFields {
  std::string predictor = "kernel";
  std::optional<std::string> model = {};     // file of coefficients, instead of those that ship
  std::optional<std::string> measured = {};  // CSV of steps that were timed
  std::optional<std::string> from = {};      // the GPU that they were timed on
  std::vector<std::string> map = {};         // columns of an export of runs: "batch=params.batch_size"
};

// What is to be said of files that were read.
struct Remarks {
  std::vector<std::string> notes = {};     // what was taken for what
  std::vector<std::string> warnings = {};  // what is doubtful
};

// Reads the files. `usual` is what cells that the timed steps leave empty mean. The catalogue must outlive
// the predictor.
std::unique_ptr<predict::Predictor> make_predictor(const ModelFields& fields, const jobs::Job& usual,
                                                   const catalog::Catalog& catalog,
                                                   Remarks* remarks = nullptr);

// Where the devices stand and how they share the job; lists give the product.
struct LayoutFields {
  std::vector<std::int64_t> counts = {};     // GPUs
  std::vector<std::int64_t> nodes = {};      // that they are spread over
  std::vector<std::string> placements = {};  // GPUs used on each node: "44", "16+16"
  std::vector<std::string> strategies = {"data"};
  std::optional<std::string> link = {};  // between nodes, instead of the machine's own

  // Whether anything was asked but a single device.
  [[nodiscard]] bool several() const { return !counts.empty() || !nodes.empty() || !placements.empty(); }
};

// Every placement with every strategy. Nodes are machines of this type, if one is given.
std::vector<jobs::Layout> layouts_of(const LayoutFields& fields, const catalog::Machine* machine);

}  // namespace sextant::ask
