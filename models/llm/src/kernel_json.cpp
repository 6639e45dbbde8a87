#include <cmath>
#include <nlohmann/json.hpp>

#include "builtin_text.h"
#include "kernel_law.h"
#include "sextant/core/json_reader.h"

namespace sextant::llm {
namespace {

constexpr double kMostKernelLogarithm = 100;
constexpr double kMostKernelRows = 1e9;
constexpr std::size_t kDeepestTree = 8;
constexpr std::size_t kMostTrees = 1000;

Json numbers_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

Json trees_json(const std::vector<ObliviousTree>& trees) {
  Json list = Json::array();
  for (const ObliviousTree& tree : trees)
    list.push_back(Json::array({tree.features, numbers_json(tree.cuts), numbers_json(tree.leaves)}));
  return list;
}

class KernelModelReader : JsonReader {
 public:
  explicit KernelModelReader(const std::string& file) : JsonReader(file) {}

  KernelModel read(const Json& json) {
    check_schema(json, kKernelSchema, "a model of kernels", "fit_kernels");
    KernelModel model;
    const Json& laws = member(json, "laws");
    for (const KernelLaw* law : kernel_laws()) {
      if (laws.contains(law->id)) model.laws[law->id] = read_law(*law, member(laws, law->id));
    }
    if (model.laws.empty()) fail_at(json, "laws", "holds no law that is known");
    return model;
  }

 private:
  FittedLaw read_law(const KernelLaw& law, const Json& json) {
    FittedLaw fitted;
    fitted.shared = parameters(law, json, "shared");
    const Json& departures = member(json, "departures");
    for (const auto& [architecture, unused] : departures.items())
      fitted.departures[architecture] = parameters(law, departures, architecture);
    const Json& leftover = member(json, "leftover");
    KernelDevice any;
    any.processors = any.gigahertz = 1;
    KernelShape ones;
    ones.fill(1);
    const std::size_t features = law.features(ones, any).size();
    for (const auto& [architecture, unused] : leftover.items())
      fitted.leftover[architecture] = trees(leftover, architecture, features);
    fitted.width = positive(json, "half_width");
    fitted.new_width = positive(json, "half_width_new");
    fitted.far_width = positive(json, "half_width_far");
    const double rows = positive(json, "rows");
    if (rows > kMostKernelRows) fail_at(json, "rows", "is out of range");
    fitted.rows = static_cast<int>(rows);
    if (fitted.width > kMostKernelLogarithm) fail_at(json, "half_width", "is out of range");
    if (fitted.new_width > kMostKernelLogarithm) fail_at(json, "half_width_new", "is out of range");
    if (fitted.far_width > kMostKernelLogarithm) fail_at(json, "half_width_far", "is out of range");
    return fitted;
  }

  std::vector<double> numbers(const Json& holder, const Json& list, const std::string& name) {
    if (!list.is_array()) fail_at(holder, name, "is not a list of numbers");
    std::vector<double> values;
    for (const Json& value : list) {
      if (!value.is_number() || !(std::abs(value.get<double>()) <= kMostKernelLogarithm * 10))
        fail_at(holder, name, "holds something else than numbers, or one out of range");
      values.push_back(value.get<double>());
    }
    return values;
  }

  std::vector<double> parameters(const KernelLaw& law, const Json& holder, const std::string& name) {
    if (!holder.contains(name)) fail_at(holder, name, "is missing");
    std::vector<double> values = numbers(holder, holder.at(name), name);
    if (values.size() != law.parameters.size())
      fail_at(holder, name, "has another number of values than the law has parameters",
              std::to_string(law.parameters.size()) + " are needed");
    return values;
  }

  std::vector<ObliviousTree> trees(const Json& holder, const std::string& name, std::size_t features) {
    const Json& list = holder.at(name);
    if (!list.is_array() || list.size() > kMostTrees) fail_at(holder, name, "is not a list of trees");
    std::vector<ObliviousTree> grown;
    for (const Json& parts : list) {
      if (!parts.is_array() || parts.size() != 3)
        fail_at(holder, name, "holds a tree without its three parts");
      ObliviousTree tree;
      for (const double feature : numbers(holder, parts[0], name)) {
        if (feature < 0 || feature >= static_cast<double>(features))
          fail_at(holder, name, "asks for no feature");
        tree.features.push_back(static_cast<int>(feature));
      }
      tree.cuts = numbers(holder, parts[1], name);
      tree.leaves = numbers(holder, parts[2], name);
      const std::size_t depth = tree.features.size();
      if (depth > kDeepestTree || tree.cuts.size() != depth || tree.leaves.size() != std::size_t{1} << depth)
        fail_at(holder, name, "holds a tree whose parts do not match");
      grown.push_back(std::move(tree));
    }
    return grown;
  }
};

KernelModel read_builtin_kernels() {
  return kernel_model_from_json(parse_json(builtin_text("kernels.json"), "kernels.json"), "kernels.json");
}

}  // namespace

Json to_json(const KernelModel& model) {
  Json laws = Json::object();
  for (const auto& [id, fitted] : model.laws) {
    Json departures = Json::object();
    for (const auto& [architecture, values] : fitted.departures)
      departures[architecture] = numbers_json(values);
    Json leftover = Json::object();
    for (const auto& [architecture, trees] : fitted.leftover) leftover[architecture] = trees_json(trees);
    laws[id] = {{"rows", fitted.rows},
                {"half_width", rounded(fitted.width)},
                {"half_width_new", rounded(fitted.new_width)},
                {"half_width_far", rounded(fitted.far_width)},
                {"shared", numbers_json(fitted.shared)},
                {"departures", std::move(departures)},
                {"leftover", std::move(leftover)}};
  }
  return {{"schema", kKernelSchema}, {"laws", std::move(laws)}};
}

KernelModel kernel_model_from_json(const Json& json, const std::string& file) {
  return KernelModelReader(file).read(json);
}

const KernelModel& builtin_kernel_model() {
  static const KernelModel model = read_builtin_kernels();
  return model;
}

}  // namespace sextant::llm
