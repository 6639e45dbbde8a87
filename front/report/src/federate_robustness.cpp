#include "federate_robustness.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sextant/core/text.h"
#include "svg_panels.h"

namespace sextant::report {
namespace {

using ask::BreakPoint;
using ask::FederatedCell;
using federated::Federation;

const Federation& federation_of(const FederatedCell& cell) {
  return cell.runs.front()->federation;
}

// What is said of every row or panel, if it differs between them.
struct Differences {
  bool shares = false;
  bool samplers = false;
  bool strategies = false;
};

Differences differences_of(const std::vector<FederatedCell>& cells) {
  std::set<double> shares;
  std::set<std::string> samplers;
  std::set<std::string> strategies;
  for (const FederatedCell& cell : cells) {
    const Federation& f = federation_of(cell);
    if (f.attack != "none") shares.insert(f.attackers);
    samplers.insert(f.sampler);
    strategies.insert(f.strategy);
  }
  return {.shares = shares.size() > 1, .samplers = samplers.size() > 1, .strategies = strategies.size() > 1};
}

std::string row_name(const Federation& f, const Differences& differ) {
  std::string name = ask::rule_name(f);
  if (differ.samplers) name += ", " + f.sampler;
  if (differ.strategies) name += ", " + f.strategy;
  return name;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// Cells by row and column, both in the order in which they were asked for.
struct Matrix {
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::map<std::pair<std::string, std::string>, const FederatedCell*> cells;
};

Matrix matrix_of(const std::vector<FederatedCell>& cells) {
  const Differences differ = differences_of(cells);
  Matrix matrix;
  for (const FederatedCell& cell : cells) {
    const std::string row = row_name(federation_of(cell), differ);
    const std::string column = attack_name(federation_of(cell), differ.shares);
    add_once(matrix.rows, row);
    add_once(matrix.columns, column);
    matrix.cells[{row, column}] = &cell;
  }
  return matrix;
}

std::string accuracy_cell(const FederatedCell& cell) {
  const std::string mean = percent_words(cell.accuracy.mean);
  if (!cell.accuracy.half_width) return mean;
  return mean + " ± " + digits_cell(std::round(1000 * *cell.accuracy.half_width) / 10).shown;
}

constexpr std::size_t kPanelColumns = 3;
constexpr double kDotRadius = 2.5;  // pixels
constexpr double kCapWide = 5;      // half the end of a whisker
constexpr const char* kWhisker = "stroke=\"#0072B2\" stroke-width=\"1.5\"";

std::string whisker(const svg::Frame& frame, double x, const FederatedCell& cell) {
  if (!cell.accuracy.half_width) return {};
  const svg::Point low = frame.at(x, std::clamp(cell.accuracy.mean - *cell.accuracy.half_width, 0.0, 1.0));
  const svg::Point high = frame.at(x, std::clamp(cell.accuracy.mean + *cell.accuracy.half_width, 0.0, 1.0));
  std::string out = svg::line(low, high, kWhisker);
  for (const svg::Point& end : {low, high})
    out += svg::line({end.x - kCapWide, end.y}, {end.x + kCapWide, end.y}, kWhisker);
  return out;
}

std::string panel_svg(const svg::Frame& frame, const Matrix& matrix, const std::string& column,
                      std::optional<double> clean) {
  std::string out = frame.grid() + svg::frame_title(frame, column, "accuracy");
  if (clean) {
    out += svg::line(frame.at(frame.x.low, *clean), frame.at(frame.x.high, *clean),
                     "stroke=\"#C25200\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
  }
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    const auto found = matrix.cells.find({matrix.rows[i], column});
    if (found == matrix.cells.end()) continue;
    const auto x = static_cast<double>(i);
    out += whisker(frame, x, *found->second);
    out += svg::circle(frame.at(x, found->second->accuracy.mean), kDotRadius,
                       std::string("fill=\"") + svg::kBlue + "\"");
  }
  return out + svg::level_names(frame, matrix.rows);
}

}  // namespace

std::string attack_name(const Federation& federation, bool with_share) {
  if (federation.attack == "none") return "no attack";
  return with_share ? federation.attack + ", " + percent_words(federation.attackers) : federation.attack;
}

bool is_robustness_grid(const std::vector<FederatedCell>& cells) {
  const Matrix matrix = matrix_of(cells);
  return matrix.rows.size() > 1 && matrix.columns.size() > 1;
}

Table robustness_table(const std::vector<FederatedCell>& cells) {
  const Matrix matrix = matrix_of(cells);
  Table table;
  table.columns.push_back({"rule", "rule", Importance::identity});
  for (const std::string& column : matrix.columns)
    table.columns.push_back({column, column, Importance::essential});
  for (const std::string& row : matrix.rows) {
    std::vector<Cell> line = {row};
    for (const std::string& column : matrix.columns) {
      const auto found = matrix.cells.find({row, column});
      line.push_back(found == matrix.cells.end() ? Cell() : Cell(accuracy_cell(*found->second)));
    }
    table.rows.push_back(std::move(line));
  }
  const bool intervals = std::ranges::any_of(
      cells, [](const FederatedCell& cell) { return cell.accuracy.half_width.has_value(); });
  table.notes.emplace_back(intervals
                               ? "accuracy of the last round, mean over seeds ± half of its 95 % interval"
                               : "accuracy of the last round");
  return table;
}

std::string robustness_svg(const std::vector<FederatedCell>& cells) {
  const Matrix matrix = matrix_of(cells);
  std::optional<double> clean;
  for (const FederatedCell& cell : cells) {
    if (!clean) clean = cell.clean_accuracy;
  }
  const SvgAxis y = linear_axis(0, 1);
  const svg::PanelGrid grid(matrix.columns.size(), kPanelColumns, svg::labels_wide(y));
  std::string out =
      grid.open(clean ? "Accuracy of each rule under each attack; dashed: the mean without an attack"
                      : "Accuracy of each rule under each attack",
                "A panel for each attack; a dot is the mean over seeds, its whisker the 95 % "
                "interval, the dashed line the mean rule without an attack.");
  for (std::size_t i = 0; i < matrix.columns.size(); ++i) {
    const svg::Frame frame = grid.panel(i, svg::level_axis(matrix.rows.size()), y);
    out += panel_svg(frame, matrix, matrix.columns[i], clean);
  }
  return out + svg::close();
}

Table break_points_table(const std::vector<BreakPoint>& points) {
  using P = const BreakPoint&;
  const auto f = [](P p) -> const Federation& { return federation_of(*p.cells.front()); };
  const Fields<BreakPoint> fields = {
      {"sampler", "sampler", [f](P p) { return Cell(f(p).sampler); }, Importance::identity},
      {"strategy", "strategy", [f](P p) { return Cell(f(p).strategy); }, Importance::identity},
      {"attack", "attack", [f](P p) { return Cell(f(p).attack); }, Importance::identity},
      {"rule", "rule", [f](P p) { return Cell(ask::rule_name(f(p))); }, Importance::identity},
      {"breaks_at", "breaks at", [](P p) { return p.share ? percent_cell(*p.share) : Cell(); },
       Importance::essential},
      {"chance", "", [](P p) { return percent_cell(p.chance); }, Importance::detail},
      {"largest_share", "tried up to",
       [](P p) { return percent_cell(federation_of(*p.cells.back()).attackers); }, Importance::essential},
      {"accuracy_there", "accuracy there", [](P p) { return percent_cell(p.cells.back()->accuracy.mean); },
       Importance::essential}};
  return table_of(explained(fields, {{"breaks_at",
                                      "the first share of attackers at which the accuracy is at most "
                                      "1.5 times that of guessing; empty: at none"}}),
                  points);
}

std::vector<std::string> break_points_text(const std::vector<BreakPoint>& points) {
  std::vector<std::string> attacks;
  for (const BreakPoint& point : points) add_once(attacks, federation_of(*point.cells.front()).attack);
  std::vector<std::string> lines;
  for (const std::string& attack : attacks) {
    std::vector<std::string> broken;
    std::vector<std::string> whole;
    double most = 0;
    for (const BreakPoint& point : points) {
      const Federation& f = federation_of(*point.cells.front());
      if (f.attack != attack) continue;
      const std::string rule = ask::rule_name(f);
      most = std::max(most, federation_of(*point.cells.back()).attackers);
      if (point.share) broken.push_back(rule + " at " + percent_words(*point.share));
      if (!point.share) whole.push_back(rule);
    }
    std::string text = "As more clients attack by " + attack + ", ";
    if (broken.empty()) {
      text += "no rule falls to guessing up to " + percent_words(most);
    } else {
      text += "the accuracy falls to guessing under " + join(broken, ", ");
      if (!whole.empty()) text += "; never up to " + percent_words(most) + " under " + join(whole, ", ");
    }
    lines.push_back(text + ".");
  }
  return lines;
}

}  // namespace sextant::report
