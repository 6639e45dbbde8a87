// Regression methods: one file each in models/learn/methods, one interface, for records of any kind.
// A method sees numbers only; text columns have become dummies before (see dataset.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/core/registry.h"
#include "sextant/stats/matrix.h"

namespace sextant::learn {

struct SampleColumn {
  std::string name;
  std::optional<std::size_t> category = {};  // dummies of one text column share its number

  bool operator==(const SampleColumn&) const = default;
};

// Training rows. Columns may be constant or collinear: a method drops what it cannot use and says so.
struct Sample {
  std::vector<SampleColumn> columns;
  stats::Matrix x;
  std::vector<double> y;
};

class Regressor {
 public:
  virtual ~Regressor() = default;
  // A value for every column of the sample; finite for finite x.
  [[nodiscard]] virtual double predict(std::span<const double> x) const = 0;
  [[nodiscard]] virtual Json to_json() const = 0;  // load() gives the same predictions to the bit
  // What was left out, and why: "b: linear combination of the kept columns".
  [[nodiscard]] virtual std::vector<std::string> dropped() const { return {}; }
};

// Values of parameters by name, as a grid lists and a file of a model keeps them; 0 and 1 for no and yes.
// Every method knows `relative`: 1 fits relative errors, by weights 1/y^2 or by logarithms, and needs a
// positive response.
using MethodSettings = std::map<std::string, double>;

// "lambda=0.1 relative=1"
std::string to_string(const MethodSettings& settings);

struct MethodInfo : PluginInfo {
  static constexpr PluginKind kKind = {"method", "methods", "regressions that fit compares", "method"};

  std::vector<std::string> aliases = {};
  bool automatic = true;                            // takes part in `auto`
  std::vector<MethodSettings> (*grid)() = nullptr;  // what validation searches, every parameter set
  std::unique_ptr<Regressor> (*fit)(const Sample&, const Parameters&, std::uint64_t seed) = nullptr;
  // InputError for anything that to_json() would not write.
  std::unique_ptr<Regressor> (*load)(const Json&, const std::vector<SampleColumn>&) = nullptr;
};

// Fallbacks for what is not set.
Parameters with_settings(const MethodInfo& method, const MethodSettings& settings);

// All files of models/learn/methods, sorted by id.
const Registry<MethodInfo>& methods();

}  // namespace sextant::learn
