// What engines add to kernels, as coefficients in the logarithm, and the rows that they are fitted to.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/llm/generation.h"

namespace sextant::llm {

enum class GenerationField : std::size_t {
  prompt,      // factor of products and attention of a prompt
  token,       // factor of products of a new token
  experts,     // factor of routed experts
  cache,       // factor of attention of a new token
  grouping,    // power of the queries that share keys: 1 where they are read again for each of them; its odds
               // are fitted
  collective,  // factor of all-reduces
  passing,     // factor of norms and activations
  small,       // seconds of a layer on the device: kernels that have no law
  host_layer,  // seconds of a layer on the host, hidden behind the device where it is shorter
  host_step,   // seconds of a pass on the host
  sequence,    // seconds of a sequence in each pass: choosing its token, keeping its lists
  start        // seconds of a batch
};
inline constexpr std::size_t kGenerationFields = 12;
using GenerationValues = std::array<double, kGenerationFields>;

struct GenerationPrior {
  const char* name;
  double mean;
  double deviation;  // of the logarithm
  double engine;     // of departures: of engines
  double release;    // of an engine
  double vendor;     // of devices, whatever the engine and with one
  double architecture;
};
const std::array<GenerationPrior, kGenerationFields>& generation_priors();

std::string vendor_architecture(const catalog::Gpu& gpu);  // with its vendor
// Kinds and names of the departures that a case has, those that are not known included.
std::vector<std::pair<std::string, std::string>> generation_departures(const GenerationCase& at);
GenerationValues plain_values(GenerationValues logarithms);
double departure_deviation(const std::string& kind, std::size_t field);

// A case with what the laws of kernels say of it.
struct CountedGeneration {
  PassParts prompt;
  PassParts token;
  double generate = 1;
  double waves = 1;  // batch over the sequences that find room at once
  double at_once = 1;
};
CountedGeneration counted_generation(const KernelModel& kernels, const GenerationCase& at);

struct GenerationSeconds {
  double first = 0, token = 0, total = 0;
};
GenerationSeconds generation_seconds(const CountedGeneration& counted, const GenerationValues& values);
GenerationValues values_of(const GenerationModel& model, const GenerationCase& at);

struct TimedGeneration {
  GenerationCase at;
  CountedGeneration counted = {};
  double seconds = 0;
  bool first_token = false;  // else the whole batch
};
std::vector<TimedGeneration> read_timed_generations(const std::string& data_folder,
                                                    const catalog::Catalog& catalog);

// Half of the 90 % interval in the logarithm.
double half_width(const GenerationModel& model, const GenerationCase& at);

// The rows as a problem of least squares, solved on those that are kept.
class GenerationProblem {
 public:
  explicit GenerationProblem(const std::vector<TimedGeneration>& rows);

  // Begins at the solution of another choice of rows, if one is given.
  [[nodiscard]] std::vector<double> solve(const std::vector<bool>& kept,
                                          const std::vector<double>& start = {}) const;
  // Coefficients and counts; widths are left as they are.
  [[nodiscard]] GenerationModel model(const std::vector<bool>& kept, const std::vector<double>& x) const;
  [[nodiscard]] const std::vector<TimedGeneration>& rows() const { return timed_; }

 private:
  struct Unknown {
    std::size_t field;
    double mean, deviation;
  };
  struct Row {
    double weight = 1;
    std::vector<std::size_t> unknowns = {};
  };
  struct Equations;
  [[nodiscard]] GenerationValues values(std::size_t row, const std::vector<double>& x) const;
  [[nodiscard]] double residual(std::size_t row, const GenerationValues& logarithms) const;
  [[nodiscard]] double objective(const std::vector<bool>& kept, const std::vector<double>& x) const;
  void add_row(std::size_t row, const std::vector<double>& x, Equations& to) const;
  [[nodiscard]] Equations equations(const std::vector<bool>& kept, const std::vector<double>& x) const;

  const std::vector<TimedGeneration>& timed_;
  std::vector<Unknown> unknowns_;
  std::map<std::pair<std::string, std::string>, std::vector<std::optional<std::size_t>>> places_;
  std::vector<Row> rows_;
};

// What the law leaves over of a row, in the logarithm.
double log_error(const GenerationModel& model, const TimedGeneration& row);

}  // namespace sextant::llm
