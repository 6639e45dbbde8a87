// Whatever the bytes, a recipe is read or refused, and what was read maps a table or says why not.
#include "sextant/predict/recipe.h"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::predict;
  static const CsvTable table = CsvTable::parse(
      "model,gpu,batch,mode,mean_ms\nresnet18,t4,8,train,12.5\nalexnet,v100,16,infer,3\n", "fuzz.csv");
  try {
    const Recipe recipe = parse_recipe(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    if (recipe.data.empty()) std::abort();
    for (const PublishedStep& step : recipe.published) {
      if (!(step.samples_per_s > 0) || !step.columns.contains("batch")) std::abort();
    }
    if (recipe.profile && !(recipe.profile->steps > 0)) std::abort();
    for (const DataRecipe& one : recipe.data) {
      if (!(one.unit > 0)) std::abort();
      try {
        if (map_columns(table, one).rows() > table.rows()) std::abort();
      } catch (const InputError&) {
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
