// How long a step takes, on devices or on machines of the catalogue; of one network, or of many in a file of
// cases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/answer.h"
#include "sextant/ask/job_fields.h"
#include "sextant/core/csv.h"
#include "sextant/predict/case_file.h"

namespace sextant::ask {

inline constexpr std::int64_t kUsualBatch = 32;

// Lists give the product: every GPU with every batch size.
struct PredictQuestion {
  JobFields job = {};
  std::vector<std::string> gpus = {};      // or "all"; "v100+t4" mixes kinds
  std::vector<std::string> machines = {};  // types, or "all", which ranks the answers
  LayoutFields layout = {};
  DecoderFields decoder = {};                         // of large language models
  GenerationFields generation = {};                   // of those that write
  std::vector<std::int64_t> batches = {kUsualBatch};  // samples in a step, on each GPU
  bool max_batch = false;                             // instead: the largest that fits the memory
  std::optional<std::int64_t> samples = {};           // in the data set
  std::optional<double> epochs = {};                  // passes over it
  ModelFields model = {};
  std::optional<std::string> region = {};  // prices of this region, instead of the lowest
  std::optional<std::int64_t> top = {};    // only the first so many answers
};

struct PredictAnswers {
  // In the order asked for; over all machines ranked: what fits first, then by cost, then by time. Empty if
  // no layout of several is possible: `warnings` say why.
  std::vector<Answer> list;
  std::vector<std::string> warnings = {};  // layouts that are impossible, and what the predictions rest on
  std::vector<std::string> notes = {};     // what the times are for, and why some are outside of the fit
  std::vector<std::string> reading = {};   // what was taken for what in files
  // Not if the largest batch was asked for and none fits anywhere, nor if a language model fits nowhere.
  bool feasible = true;
};

// InputError for a field that is wrong or contradicts another, and for a single layout that is impossible.
PredictAnswers predict(const PredictQuestion& question, const catalog::Catalog& catalog);

// Whether a model is a law of scaling: one that ships by name, or a file whose schema says so; a file that
// cannot be read is not one.
bool names_scaling_model(const std::string& model);

// A row is a question; what it leaves empty is as the question says. A row that cannot be answered says why.
predict::CaseAnswers predict_cases(const PredictQuestion& question, const CsvTable& cases,
                                   const catalog::Catalog& catalog, Remarks* remarks = nullptr);
// Whether the rows are steps of large language models, by their columns.
bool names_decoders(const CsvTable& cases);
// The same for those rows, with the columns of llm/step_rows.h.
predict::CaseAnswers predict_decoder_cases(const PredictQuestion& question, const CsvTable& cases,
                                           const catalog::Catalog& catalog);
// The same by the law that the question's model names, with the networks of its timed steps added.
predict::CaseAnswers predict_scaling_cases(const PredictQuestion& question, const CsvTable& cases);

}  // namespace sextant::ask
