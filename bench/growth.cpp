// How the time of reading and answering files grows: seconds for twice the rows over seconds for the rows,
// "growth". 2 is proportional, 4 would be quadratic; the aim is at most 2.5.
#include <functional>
#include <string>

#include "ratio.h"
#include "sextant/collectives/collective_cases.h"
#include "sextant/predict/case_file.h"

namespace sextant::bench {
namespace {

const catalog::Catalog& known_catalog() {
  static const catalog::Catalog all = catalog::builtin_catalog();
  return all;
}

// Distinct cases: batches and image sizes of a few networks.
std::string case_rows(std::size_t rows, bool measured) {
  constexpr std::array kSome = {"resnet18", "alexnet", "vgg11", "mobilenet-v2"};
  std::string text = measured ? "net,gpu,batch,image,measured_ms\n" : "net,gpu,batch,image\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += std::string(kSome[row % kSome.size()]) + ",t4," + std::to_string(1 + row / 4 % 64) + "," +
            std::to_string(64 + row / 256) + (measured ? "," + std::to_string(10 + row % 97) : "") + "\n";
  }
  return text;
}

std::size_t read_and_anchor(const std::string& text) {
  predict::Setup setup{.catalog = &known_catalog()};
  setup.measured = predict::read_measured(CsvTable::parse(text, "measured.csv"), known_catalog(), {});
  return predict::predictors().get("kernel").make(setup) != nullptr ? setup.measured.size() : 0;
}

std::size_t answer(const std::string& text) {
  static const auto predictor = predict::predictors().get("kernel").make({.catalog = &known_catalog()});
  return predict::answer_cases(CsvTable::parse(text, "cases.csv"), {known_catalog(), *predictor})
      .distinct.size();
}

// Every tenth row names a system that does not exist.
std::string collective_rows(std::size_t rows) {
  std::string text = "system,collective,num_gpus,num_nodes,bytes\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += std::string(row % 10 == 0 ? "a100-dgz" : "a100-dgx") + ",all-reduce,8,1," +
            std::to_string(1024 + row) + "\n";
  }
  return text;
}

std::size_t answer_collective_rows(const std::string& text) {
  static const collectives::Systems systems = collectives::load_systems(known_catalog());
  return collectives::answer_collectives(CsvTable::parse(text, "cases.csv"),
                                         {known_catalog(), systems, collectives::builtin_calibration()})
      .size();
}

struct Subject {
  const char* name;
  std::size_t rows;
  std::function<std::string(std::size_t)> text;
  std::function<std::size_t(const std::string&)> run;
};

const std::array<Subject, 3>& subjects() {
  static const std::array<Subject, 3> all = {
      {{"predict --measured", 2000, [](std::size_t n) { return case_rows(n, true); }, read_and_anchor},
       {"predict --cases, distinct", 4000, [](std::size_t n) { return case_rows(n, false); }, answer},
       {"collective --cases", 40000, collective_rows, answer_collective_rows}}};
  return all;
}

void growth(benchmark::State& state) {
  const Subject& subject = subjects()[static_cast<std::size_t>(state.range(0))];
  const std::string once = subject.text(subject.rows);
  const std::string twice = subject.text(2 * subject.rows);
  std::vector<double> ratios;
  for ([[maybe_unused]] auto iteration : state) {
    const double few = seconds_of([&] { return subject.run(once); });
    const double many = seconds_of([&] { return subject.run(twice); });
    state.SetIterationTime(many);
    ratios.push_back(many / few);
  }
  std::ranges::nth_element(ratios, ratios.begin() + std::ssize(ratios) / 2);
  state.counters["growth"] = ratios[ratios.size() / 2];
  state.SetLabel(std::string(subject.name) + ", " + std::to_string(2 * subject.rows) + " rows");
}
BENCHMARK(growth)->Arg(0)->Arg(1)->Arg(2)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
