// What a recording of PyTorch's profiler says.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "number_of.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/span_report.h"

namespace sextant::report {
namespace {

using spans::OperatorTotal;
using spans::ProfileAnalysis;
using enum Importance;

constexpr std::size_t kLongestName = 60;  // names of kernels hold all arguments of their templates
constexpr double kWorthSaying = 0.005;    // of a step

Table parts_table(const ProfileAnalysis& analysis) {
  using P = const spans::StepPart&;
  const Fields<spans::StepPart> fields = {
      {"part", "part", [](P p) { return Cell(p.name); }, identity},
      {"seconds", "time", [](P p) { return Cell(Seconds{p.seconds}); }},
      {"exposed_s", "exposed", [](P p) { return Cell(Seconds{p.exposed_s}); }, essential},
      {"share", "of the step", [](P p) { return percent_cell(p.share); }, essential},
  };
  Table table = table_of(fields, analysis.parts);
  table.notes = {
      std::string("Each instant counts once, for the first of these parts that went on: exposed times add "
                  "up to the step. ") +
      (analysis.gpu ? "Idle: the GPU did nothing." : "Idle: no operator ran.")};
  return table;
}

Table ranks_table(const ProfileAnalysis& analysis) {
  using R = const spans::RankSteps&;
  const Fields<spans::RankSteps> fields = {
      {"rank", "rank", [](R r) { return Cell(r.rank); }, identity},
      {"step_s", "step", [](R r) { return Cell(Seconds{r.step_s}); }, essential},
      {"compute_s", "compute", [](R r) { return Cell(Seconds{r.compute_s}); }},
      {"exposed_communication_s", "exposed communication",
       [](R r) { return Cell(Seconds{r.exposed_communication_s}); }},
      {"idle_s", "idle", [](R r) { return Cell(Seconds{r.idle_s}); }},
  };
  return table_of(fields, analysis.by_rank);
}

Table slow_steps_table(const ProfileAnalysis& analysis) {
  using S = const spans::SlowStep&;
  const Fields<spans::SlowStep> fields = {
      {"step", "step", [](S s) { return Cell(s.step); }, identity},
      {"rank", "rank", [](S s) { return Cell(s.rank); }, identity},
      {"part", "what took longer", [](S s) { return Cell(s.part); }, identity},
      {"seconds", "took", [](S s) { return Cell(Seconds{s.seconds}); }, essential},
      {"usual_s", "usually", [](S s) { return Cell(Seconds{s.usual_s}); }},
      {"robust_z", "robust z", [](S s) { return digits_cell(s.robust_z); }},
  };
  return table_of(fields, analysis.slow);
}

Cell name_cell(const std::string& name) {
  Cell cell(name);
  if (name.size() <= kLongestName) return cell;
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // not within a letter
  cell.shown = name.substr(0, end) + "…";
  return cell;
}

Fields<OperatorTotal> total_fields(const std::string& what) {
  using O = const OperatorTotal&;
  return {
      {what, what, [](O o) { return name_cell(o.name); }, identity},
      {"calls", "calls/step", [](O o) { return digits_cell(o.calls); }},
      {"cpu_s", "CPU time", [](O o) { return Cell(Seconds{o.cpu_s}); }},
      {"device_s", "GPU time", [](O o) { return Cell(Seconds{o.device_s}); }},
      {"share", "of the step", [](O o) { return percent_cell(o.share); }, essential},
  };
}

Table operators_table(const ProfileAnalysis& analysis) {
  Fields<OperatorTotal> fields = total_fields("operator");
  if (!analysis.gpu) fields = in_files(fields, {"device_s"});
  Table table = table_of(explained(fields, {{"cpu_s", "without the operators that it called"},
                                            {"device_s", "of the kernels that it launched"}}),
                         analysis.operators);
  table.notes = {"Means over steps."};
  return table;
}

Section part_of(std::string key, std::string title, Table table) {
  const bool shown = !table.rows.empty();
  return {.key = std::move(key), .table = std::move(table), .shown = shown, .title = std::move(title)};
}

// "3 steps of 2 ranks, median 31 ms: 62 % compute, 25 % communication that nothing hides, 13 % idle".
std::string profile_verdict(const ProfileAnalysis& analysis) {
  std::string text = number_of(analysis.steps, "step") + " of " + number_of(analysis.ranks, "rank") +
                     ", median " + human(Seconds{analysis.step_s});
  std::vector<std::string> shares;
  for (const spans::StepPart& part : analysis.parts) {
    if (part.share < kWorthSaying) continue;
    const bool hidden_elsewhere = part.name == "communication";
    shares.push_back(percent_words(part.share) + " " + part.name +
                     (hidden_elsewhere ? " that nothing hides" : ""));
  }
  return text + (shares.empty() ? "" : ": ") + join(shares, ", ");
}

}  // namespace

Result profile_result(const ProfileAnalysis& analysis) {
  using A = const ProfileAnalysis&;
  const Fields<ProfileAnalysis> facts = {
      {"steps", "steps", [](A a) { return Cell(a.steps); }},
      {"ranks", "ranks", [](A a) { return Cell(a.ranks); }},
      {"gpu", "GPU", [](A a) { return Cell(a.gpu); }},
      {"step_s", "step", [](A a) { return Cell(Seconds{a.step_s}); }},
      {"warnings", "", [](A a) { return Cell::nested(a.warnings); }, detail},
  };
  Section ranks = part_of("by_rank", "each rank, medians of its steps", ranks_table(analysis));
  ranks.shown = analysis.ranks > 1;
  Table kernels = table_of(in_files(total_fields("kernel"), {"cpu_s"}), analysis.kernels);
  return {.schema = "sextant.profile-analysis/1",
          .sections = {part_of("parts", profile_verdict(analysis), parts_table(analysis)), std::move(ranks),
                       part_of("slow_steps", "slow steps", slow_steps_table(analysis)),
                       part_of("operators", "operators that take most", operators_table(analysis)),
                       part_of("kernels", "kernels that take most", std::move(kernels))},
          .facts = facts_of(facts, analysis)};
}

}  // namespace sextant::report
