// A generator from text: each setting is a row of one table, which messages and pages read too.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "generator_check.h"
#include "sextant/core/csv.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/core/toml.h"
#include "sextant/core/unit_text.h"
#include "sextant/jobs/generator.h"

namespace sextant::jobs {
namespace {

// What was written for a setting.
struct SettingValue {
  std::string name, text;
  SourcePos at;
  std::filesystem::path folder;  // that names of files are relative to

  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    throw InputError(at, name + "=" + text + ": " + what, hint);
  }
  [[nodiscard]] double number() const {
    const auto value = to_number(text);
    if (!value || !std::isfinite(*value)) fail("not a number");
    return *value;
  }
  [[nodiscard]] std::int64_t count() const {
    const double value = number();  // "1e6" is a count too
    if (value != std::floor(value) || std::abs(value) > 1e15) fail("not a whole number");
    return static_cast<std::int64_t>(value);
  }
  [[nodiscard]] double seconds() const {
    const bool has_unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0;
    return has_unit && !to_number(text) ? parse_seconds(text, at).value : number();
  }
  [[nodiscard]] bool yes() const {
    if (text != "0" && text != "1" && text != "true" && text != "false") fail("neither 0 nor 1");
    return text == "1" || text == "true";
  }
  [[nodiscard]] std::string path() const { return (folder / text).string(); }

  // "1@0.7+2@0.3": values and weights; a weight of 1 may be left out.
  [[nodiscard]] WeightedValues<std::string> list() const {
    WeightedValues<std::string> values;
    for (const std::string& part : split(text, '+')) {
      const std::size_t mark = part.rfind('@');
      const auto weight =
          mark == std::string::npos ? 1 : to_number(trim(std::string_view(part).substr(mark + 1)));
      const std::string value(trim(std::string_view(part).substr(0, mark)));
      if (value.empty() || !weight || !(*weight >= 0)) fail("not a list of values", "as in 1@0.7+2@0.3");
      values.emplace_back(value, *weight);
    }
    return values;
  }
  [[nodiscard]] WeightedValues<double> numbers() const {
    WeightedValues<double> values;
    for (const auto& [value, weight] : list()) {
      const auto number = to_number(value);
      if (!number || !std::isfinite(*number)) fail("'" + value + "' is not a number", "as in 1@0.7+2@0.3");
      values.emplace_back(*number, weight);
    }
    return values;
  }
};

// The alternative that a setting belongs to; another one must not have been chosen.
template <class Alternative, class Variant>
Alternative& as(Variant& chosen, const SettingValue& value, const char* owner) {
  if (auto* found = std::get_if<Alternative>(&chosen)) return *found;
  value.fail(std::string("has a meaning with ") + owner + " only");
}

template <class Variant>
Variant named(const SettingValue& v, const std::vector<std::pair<std::string, Variant>>& alternatives) {
  std::vector<std::string> names;
  for (const auto& [name, alternative] : alternatives) {
    if (v.text == name) return alternative;
    names.push_back(name);
  }
  v.fail("no such " + v.name, name_hint(v.text, names));
}

void set_arrivals(Generator& g, const SettingValue& v) {
  g.arrivals = named<ArrivalProcess>(v, {{"poisson", PoissonArrivals{}},
                                         {"diurnal", DiurnalArrivals{}},
                                         {"bursts", BurstArrivals{}},
                                         {"recorded", RecordedArrivals{}}});
}

void set_durations(Generator& g, const SettingValue& v) {
  g.durations = named<DurationLaw>(v, {{"gavel", TwoPartDurations{}},
                                       {"lognormal", LognormalDurations{}},
                                       {"pareto", ParetoDurations{}},
                                       {"exponential", ExponentialDurations{}},
                                       {"fixed", FixedDurations{}},
                                       {"empirical", EmpiricalDurations{}}});
}

void set_gaps(Generator& g, const SettingValue& v) {
  auto& recorded = as<RecordedArrivals>(g.arrivals, v, "arrivals=recorded");
  const Trace trace = read_trace(v.path());
  recorded.file = v.text;
  for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
    recorded.gaps_s.push_back(trace.jobs[i].arrival_s - trace.jobs[i - 1].arrival_s);
  }
}

// One column; one that is called gpu_time_s counts the seconds of all GPUs.
void set_durations_file(Generator& g, const SettingValue& v) {
  auto& law = as<EmpiricalDurations>(g.durations, v, "durations=empirical");
  const CsvTable table = CsvTable::read_file(v.path());
  if (table.header().size() != 1) v.fail("a file of durations has one column");
  law.file = v.text;
  law.gpu_time = table.header()[0] == "gpu_time_s";
  law.values_s = table.numbers(table.header()[0]);
  for (std::size_t row = 0; row < law.values_s.size(); ++row) {
    if (!(law.values_s[row] > 0)) throw InputError(table.where(row, 0), "a duration must be above 0");
  }
}

void set_gpus(Generator& g, const SettingValue& v) {
  g.gpus.clear();
  for (const auto& [value, weight] : v.numbers()) {
    if (value < 1 || value > 1e6 || value != std::floor(value)) v.fail("not a number of GPUs");
    g.gpus.emplace_back(static_cast<std::int32_t>(value), weight);
  }
  g.multi_gpu = true;
}

// Models that the preset knows keep what it says of them.
void set_models(Generator& g, const SettingValue& v) {
  std::vector<ModelClass> models;
  for (const auto& [name, weight] : v.list()) {
    const auto known = std::ranges::find(g.models, name, &ModelClass::model);
    models.push_back(
        {.model = name, .weight = weight, .distributed = known == g.models.end() || known->distributed});
  }
  g.models = std::move(models);
}

struct SettingRule {
  GeneratorSetting setting;
  void (*apply)(Generator& generator, const SettingValue& value);
};

std::vector<SettingRule> arrival_rules() {
  using G = Generator;
  using V = SettingValue;
  return {
      {{"jobs", "number of jobs"}, [](G& g, const V& v) { g.jobs = v.count(); }},
      {{"arrivals", "poisson, diurnal, bursts or recorded"}, set_arrivals},
      {{"interarrival", "mean time between arrivals; 0: all at once"},
       [](G& g, const V& v) {
         g.interarrival_s = v.seconds();
         g.interarrival_set = true;
       }},
      {{"amplitude", "swing of the rate of arrivals, 0 to 1 (arrivals=diurnal)"},
       [](G& g, const V& v) {
         as<DiurnalArrivals>(g.arrivals, v, "arrivals=diurnal").amplitude = v.number();
       }},
      {{"period", "length of a day (arrivals=diurnal)"},
       [](G& g, const V& v) {
         as<DiurnalArrivals>(g.arrivals, v, "arrivals=diurnal").period_s = v.seconds();
       }},
      {{"burst-factor", "rate of arrivals in a burst over that between bursts (arrivals=bursts)"},
       [](G& g, const V& v) { as<BurstArrivals>(g.arrivals, v, "arrivals=bursts").factor = v.number(); }},
      {{"burst-length", "mean length of a burst (arrivals=bursts)"},
       [](G& g, const V& v) { as<BurstArrivals>(g.arrivals, v, "arrivals=bursts").burst_s = v.seconds(); }},
      {{"calm-length", "mean time between bursts (arrivals=bursts)"},
       [](G& g, const V& v) { as<BurstArrivals>(g.arrivals, v, "arrivals=bursts").calm_s = v.seconds(); }},
      {{"gaps", "trace whose gaps between arrivals are used in their order (arrivals=recorded)"}, set_gaps},
  };
}

std::vector<SettingRule> duration_rules() {
  using G = Generator;
  using V = SettingValue;
  return {
      {{"durations", "gavel, lognormal, pareto, exponential, fixed or empirical"}, set_durations},
      {{"short-share", "share of jobs below 1000 minutes (durations=gavel)"},
       [](G& g, const V& v) {
         as<TwoPartDurations>(g.durations, v, "durations=gavel").short_share = v.number();
       }},
      {{"median", "median run time (durations=lognormal)"},
       [](G& g, const V& v) {
         as<LognormalDurations>(g.durations, v, "durations=lognormal").median_s = v.seconds();
       }},
      {{"sigma", "standard deviation of the logarithm of the run time (durations=lognormal)"},
       [](G& g, const V& v) {
         as<LognormalDurations>(g.durations, v, "durations=lognormal").sigma = v.number();
       }},
      {{"low", "shortest run time (durations=pareto)"},
       [](G& g, const V& v) { as<ParetoDurations>(g.durations, v, "durations=pareto").low_s = v.seconds(); }},
      {{"high", "longest run time (durations=pareto)"},
       [](G& g, const V& v) {
         as<ParetoDurations>(g.durations, v, "durations=pareto").high_s = v.seconds();
       }},
      {{"shape", "exponent of the tail (durations=pareto)"},
       [](G& g, const V& v) { as<ParetoDurations>(g.durations, v, "durations=pareto").shape = v.number(); }},
      {{"mean", "mean run time (durations=exponential)"},
       [](G& g, const V& v) {
         as<ExponentialDurations>(g.durations, v, "durations=exponential").mean_s = v.seconds();
       }},
      {{"duration", "run time of every job (durations=fixed)"},
       [](G& g, const V& v) { as<FixedDurations>(g.durations, v, "durations=fixed").seconds = v.seconds(); }},
      {{"durations-file",
        "CSV with one column of seconds; if it is named gpu_time_s, of all GPUs together "
        "(durations=empirical)"},
       set_durations_file},
  };
}

std::vector<SettingRule> job_rules() {
  using G = Generator;
  using V = SettingValue;
  return {
      {{"gpus", "sizes of gangs and their weights, 1@0.7+2@0.3"}, set_gpus},
      {{"multi-gpu", "0: one GPU a job, whatever gpus says"},
       [](G& g, const V& v) { g.multi_gpu = v.yes(); }},
      {{"models", "models and their weights, A3C@2+CycleGAN"}, set_models},
      {{"reference", "type of GPU whose speeds turn durations into steps"},
       [](G& g, const V& v) { g.reference_type = v.text; }},
      {{"weights", "weights of jobs, 1@0.8+5@0.2"}, [](G& g, const V& v) { g.weights = v.numbers(); }},
      {{"multi-priority", "1: a fifth of the jobs weigh 5, the others 1"},
       [](G& g, const V& v) {
         g.weights = v.yes() ? WeightedValues<double>{{1, 0.8}, {5, 0.2}} : WeightedValues<double>{};
       }},
      {{"priorities", "priorities of jobs, 0@0.9+1@0.1"},
       [](G& g, const V& v) { g.priorities = v.numbers(); }},
      {{"deadlines", "deadlines as multiples of the duration, 1.2@0.33+2@0.34+10@0.33; 0: none"},
       [](G& g, const V& v) { g.deadlines = v.numbers(); }},
      {{"estimate-sigma", "users state the run time with this error of its logarithm; 0: exactly"},
       [](G& g, const V& v) { g.estimate_sigma = v.number(); }},
      {{"users", "number of users"}, [](G& g, const V& v) { g.users = v.count(); }},
      {{"user-skew", "Zipf's exponent of the users; 0: all alike"},
       [](G& g, const V& v) { g.user_skew = v.number(); }},
      {{"exact", "1: same random numbers as Gavel's generator"}, [](G& g, const V& v) { g.exact = v.yes(); }},
  };
}

const std::vector<SettingRule>& rules() {
  static const std::vector<SettingRule> all = [] {
    std::vector<SettingRule> list = arrival_rules();
    for (const auto& more : {duration_rules(), job_rules()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

void apply(Generator& generator, const SettingValue& value) {
  const auto rule =
      std::ranges::find(rules(), value.name, [](const SettingRule& r) { return r.setting.name; });
  if (rule != rules().end()) return rule->apply(generator, value);
  std::vector<std::string> names;
  for (const GeneratorSetting& setting : generator_settings()) names.push_back(setting.name);
  throw InputError(value.at, "a generator has no setting '" + value.name + "'", name_hint(value.name, names));
}

// What chooses between alternatives comes before what belongs to one.
void apply_all(Generator& generator, std::vector<SettingValue> values) {
  std::stable_partition(values.begin(), values.end(), [](const SettingValue& value) {
    return value.name == "arrivals" || value.name == "durations";
  });
  SettingPlaces places;
  for (const SettingValue& value : values) {
    apply(generator, value);
    places.emplace(value.name, value.at);
  }
  check_generator(generator, places);
}

}  // namespace

const std::vector<GeneratorSetting>& generator_settings() {
  static const std::vector<GeneratorSetting> settings = [] {
    std::vector<GeneratorSetting> list;
    for (const SettingRule& rule : rules()) list.push_back(rule.setting);
    return list;
  }();
  return settings;
}

Generator parse_generator(std::string_view text, const SourcePos& at) {
  if (text.ends_with(".toml"))
    return parse_generator_toml(read_text_file(std::string(text)), std::string(text));
  const PluginText parts = split_plugin_text(text, at);
  Generator generator = generator_presets().get(parts.id, at).make();
  generator.text = std::string(text);
  generator.at = at;
  std::vector<SettingValue> values;
  for (const auto& [name, value] : parts.settings) values.push_back({name, value, at, {}});
  apply_all(generator, std::move(values));
  return generator;
}

Generator parse_generator_toml(const std::string& text, const std::string& file) {
  TomlSection section = parse_toml(text, file);
  const std::string preset = section.maybe_text("preset").value_or("gavel");
  Generator generator = generator_presets()
                            .get(preset, section.has("preset") ? section.where("preset") : SourcePos{file})
                            .make();
  generator.text = file;
  generator.at = {file, 1, 1};
  std::vector<SettingValue> values;
  for (const std::string& key : section.keys()) {
    if (key == "preset") continue;
    const std::string value = key == "models" ? join(section.texts(key), "+") : section.scalar(key);
    values.push_back({key, value, section.where(key), std::filesystem::path(file).parent_path()});
  }
  apply_all(generator, std::move(values));
  return generator;
}

}  // namespace sextant::jobs
