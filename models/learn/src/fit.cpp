#include "sextant/learn/fit.h"

#include <algorithm>
#include <cmath>

#include "nested.h"
#include "sextant/core/error.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"

namespace sextant::learn {
namespace {

std::vector<const MethodInfo*> wanted_methods(const std::vector<std::string>& names) {
  std::vector<const MethodInfo*> wanted;
  const auto add = [&](const MethodInfo& method) {
    if (std::ranges::find(wanted, &method) == wanted.end()) wanted.push_back(&method);
  };
  for (const auto& name : names) {
    if (fold_name(name) != "auto") {
      add(methods().get(name, at_field("method")));
      continue;
    }
    for (const auto& method : methods().all()) {
      if (method.automatic) add(method);
    }
  }
  return wanted;
}

void check_fixed(const MethodSettings& fixed, const std::vector<const MethodInfo*>& wanted) {
  for (const auto& [name, value] : fixed) {
    std::vector<std::string> known;
    bool found = false;
    for (const auto* method : wanted) {
      for (const auto& p : method->parameters) {
        known.push_back(p.name);
        if (p.name != name) continue;
        found = true;
        if (value >= p.low && value <= p.high) {
          if (!is_whole(p) || value == std::floor(value)) continue;
          throw InputError(at_field("set"), name + "=" + number_text(value) + " is not a whole number");
        }
        throw InputError(at_field("set"), name + "=" + number_text(value) + " is out of range",
                         "from " + number_text(p.low) + " to " + number_text(p.high));
      }
    }
    if (!found) throw InputError(at_field("set"), "unknown parameter '" + name + "'", name_hint(name, known));
  }
}

MethodSearch search_of(const MethodInfo& method, const MethodSettings& fixed, bool positive) {
  MethodSearch search{&method, {}};
  for (auto point : method.grid()) {
    for (const auto& [name, value] : fixed) {
      if (point.contains(name)) point[name] = value;
    }
    if (!positive && point.at("relative") != 0) continue;
    if (std::ranges::find(search.grid, point) == search.grid.end()) search.grid.push_back(std::move(point));
  }
  if (search.grid.empty()) {
    throw InputError(at_field("set"), "relative=1 needs a positive response, and this one is not",
                     "leave it out, or set relative=0");
  }
  return search;
}

std::vector<Score> scores_of(std::span<const OuterRow> rows, ErrorScale scale) {
  std::vector<Score> scores;
  for (const auto& row : rows) {
    scores.push_back({score(row.measured, row.predicted, scale), row.extrapolating});
  }
  return scores;
}

// What was predicted for each outer fold, by one method or by the method that `auto` picked there.
using FoldRows = std::vector<std::vector<OuterRow>>;

std::vector<OuterRow> joined(const FoldRows& folds) {
  std::vector<OuterRow> all;
  for (const auto& fold : folds) all.insert(all.end(), fold.begin(), fold.end());
  std::ranges::stable_sort(all, {}, &OuterRow::row);
  return all;
}

// Every fold's intervals come from the other folds, or from inner rows when there is only one.
std::optional<double> coverage(const FoldRows& folds, std::span<const OuterRow> inner, ErrorScale scale) {
  std::size_t covered = 0;
  std::size_t rows = 0;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    FoldRows others = folds;
    others[f].clear();
    const auto rest = joined(others);
    const auto widths = calibrate(scores_of(folds.size() == 1 ? inner : std::span(rest), scale), scale);
    for (const auto& row : folds[f]) {
      const auto range = interval(widths, row.predicted, row.extrapolating);
      if (!range) return std::nullopt;
      covered += range->contains(row.measured) ? 1 : 0;
      ++rows;
    }
  }
  return 100 * static_cast<double>(covered) / static_cast<double>(rows);
}

Metrics metrics_of(std::span<const OuterRow> rows) {
  std::vector<double> measured;
  std::vector<double> predicted;
  for (const auto& row : rows) {
    measured.push_back(row.measured);
    predicted.push_back(std::clamp(row.predicted, -1e140, 1e140));
  }
  return compare(measured, predicted);
}

class Fitting {
 public:
  Fitting(const DataTables& tables, const FitRequest& request)
      : request_(request), data_(make_dataset(tables, with_groups_left_out(request))) {
    const auto wanted = wanted_methods(request.methods);
    check_fixed(request.fixed, wanted);
    for (const auto* method : wanted) searches_.push_back(search_of(*method, request.fixed, data_.positive));
    keys_ = split_keys(tables, request.validation);
    scale_ = data_.positive ? ErrorScale::relative : ErrorScale::absolute;
  }

  FitReport run(Progress& progress) {
    nested_ =
        run_nested({data_, searches_, request_.validation, keys_, request_.seed, request_.threads}, progress);
    const std::size_t best = best_method(nested_.final_choices, nested_.failures);
    if (best == searches_.size()) {
      throw InputError(at_field("method"),
                       searches_[0].method->id + " cannot be fitted: " + nested_.failures[0],
                       "stepwise, ridge and nnls work with fewer rows than columns");
    }
    FitReport report;
    for (std::size_t m = 0; m < searches_.size(); ++m) report.methods.push_back(method_report(m));
    const bool many = searches_.size() > 1;
    if (many) report.methods.push_back(auto_report(best));
    report.outer = many ? report.methods.back().outer : report.methods[best].outer;
    report.model = final_model(best, many ? report.methods.back() : report.methods[best]);
    report.notes = notes(report.model);
    return report;
  }

 private:
  static DatasetRequest with_groups_left_out(const FitRequest& request) {
    DatasetRequest data = request.data;
    if (request.validation.kind == ValidationKind::leave_group_out) {
      data.left_out.push_back(request.validation.column);
    }
    return data;
  }

  void set_parameters(MethodReport& report, std::size_t m) const {
    const auto& grid = searches_[m].grid;
    report.parameters = grid[nested_.final_choices[m].point];
    for (const auto& parameter : report.parameters) {
      const auto differs = [&](const MethodSettings& point) {
        return point.at(parameter.first) != parameter.second;
      };
      const bool set = request_.fixed.contains(parameter.first);
      if (set || std::ranges::any_of(grid, differs)) report.chosen.insert(parameter);
    }
  }

  void add_measures(MethodReport& report, const FoldRows& folds, std::span<const OuterRow> inner) const {
    report.outer = joined(folds);
    report.metrics = metrics_of(report.outer);
    report.metrics.coverage = coverage(folds, inner, scale_);
  }

  [[nodiscard]] MethodReport method_report(std::size_t m) const {
    MethodReport report;
    report.method = searches_[m].method->id;
    report.failure = nested_.failures[m];
    if (!report.failure.empty()) return report;
    set_parameters(report, m);
    FoldRows folds;
    for (const auto& fold : nested_.folds) folds.push_back(fold.rows[m]);
    add_measures(report, folds, nested_.folds.front().inner_rows[m]);
    return report;
  }

  [[nodiscard]] MethodReport auto_report(std::size_t best) const {
    MethodReport report;
    report.method = "auto: " + searches_[best].method->id;
    set_parameters(report, best);
    FoldRows folds;
    for (const auto& fold : nested_.folds) {
      folds.push_back(fold.rows[best_method(fold.choices, nested_.failures)]);
    }
    const auto& first = nested_.folds.front();
    add_measures(report, folds, first.inner_rows[best_method(first.choices, nested_.failures)]);
    return report;
  }

  [[nodiscard]] Model final_model(std::size_t best, const MethodReport& procedure) const {
    const MethodInfo& method = *searches_[best].method;
    Model model;
    model.method = method.id;
    model.parameters = procedure.parameters;
    model.response = request_.data.response;
    model.features = data_.features;
    model.rows = data_.sample.y.size();
    model.floor = data_.positive ? positive_floor(data_.sample.y) : 0;
    model.regressor = method.fit(data_.sample, with_settings(method, model.parameters), request_.seed);
    model.dropped = data_.dropped;
    const auto more = model.regressor->dropped();
    model.dropped.insert(model.dropped.end(), more.begin(), more.end());
    model.domain = domain_of(data_.sample.x);
    model.error = {to_string(request_.validation), searches_.size() > 1 ? "auto" : method.id,
                   procedure.metrics};
    model.calibration = calibrate(scores_of(procedure.outer, scale_), scale_);
    return model;
  }

  [[nodiscard]] std::vector<std::string> notes(const Model& model) const {
    std::vector<std::string> lines;
    for (const auto& dropped : model.dropped) lines.push_back("dropped " + dropped);
    if (!data_.positive) {
      lines.push_back("'" + model.response +
                      "' has values of 0 or less: percentage errors are not defined, the RMSE decides");
    }
    if (!model.calibration.inside) lines.emplace_back("no interval: it takes at least 9 left-out rows");
    return lines;
  }

  const FitRequest& request_;
  Dataset data_;
  std::vector<MethodSearch> searches_;
  SplitKeys keys_;
  ErrorScale scale_ = ErrorScale::relative;
  Nested nested_;
};

}  // namespace

FitReport fit_model(const DataTables& tables, const FitRequest& request, Progress& progress) {
  return Fitting(tables, request).run(progress);
}

}  // namespace sextant::learn
