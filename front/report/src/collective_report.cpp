#include "sextant/report/collective_report.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::report {
namespace {

std::vector<Column> question_columns() {
  return {{"system", "system"},
          {"collective", "collective"},
          {"num_gpus", "GPUs"},
          {"num_nodes", "nodes"},
          {"bytes", "size"}};
}

std::vector<Cell> question_cells(const std::string& system, const collectives::CollectiveQuestion& q) {
  return {system, to_string(q.collective), q.gpus, q.nodes, q.bytes};
}

std::string width_percent(double log_width) {
  return std::to_string(std::lround(100 * std::expm1(log_width))) + " %";
}

// Exact in files, whole per cents on screen.
Cell share(double value) {
  Cell cell(value);
  cell.shown = std::to_string(std::lround(100 * value)) + " %";
  return cell;
}

std::string widths_note(const char* what,
                        const std::array<collectives::Width, collectives::kKnown.size()>& widths) {
  std::string note = std::string("90 % intervals of ") + what + ", above the launch time:";
  for (std::size_t i = 0; i < widths.size(); ++i) {
    note += std::string(i == 0 ? " " : ", ") + collectives::kKnown.at(i) + " " +
            width_percent(widths.at(i).above);
  }
  return note;
}

std::vector<std::string> answer_cells(const collectives::CollectiveAnswer& answer) {
  if (!answer.error.empty()) return {"", "", "", "", "", answer.error};
  const collectives::CollectiveEstimate& e = answer.estimate;
  std::vector<std::string> cells;
  for (const Seconds value : {e.time, e.low, e.high, e.latency, e.transfer}) {
    cells.push_back(number_text(value.value));
  }
  cells.emplace_back();
  return cells;
}

}  // namespace

Table collective_table(const std::vector<ask::CollectiveRow>& rows) {
  Table table{.columns = question_columns(), .rows = {}, .notes = {}};
  for (Column column :
       {Column{"time_s", "time"}, Column{"low_s", "90 % from"}, Column{"high_s", "to"},
        Column{"algorithm", "algorithm"}, Column{"protocol", "protocol"}, Column{"bus_bytes_per_s", "bus"},
        Column{"latency_s", "latency"}, Column{"transfer_s", "transfer"}}) {
    table.columns.push_back(std::move(column));
  }
  bool unseen = false;
  for (const auto& row : rows) {
    const collectives::CollectiveEstimate& e = row.estimate;
    auto cells = question_cells(row.system, row.question);
    for (Cell cell : {Cell(e.time), Cell(e.low), Cell(e.high), Cell(to_string(e.algorithm)), Cell(e.protocol),
                      Cell(e.bus), Cell(e.latency), Cell(e.transfer)}) {
      cells.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(cells));
    unseen = unseen || (e.known == collectives::Known::nothing && row.question.gpus > 1);
  }
  if (unseen)
    table.notes.emplace_back("some of this was never timed there: those intervals are of systems left out");
  return table;
}

Table algorithm_table(const std::vector<ask::AlgorithmRow>& rows) {
  Table table{.columns = question_columns(), .rows = {}, .notes = {}};
  for (Column column : {Column{"algorithm", "algorithm"}, Column{"time_s", "time"},
                        Column{"latency_s", "latency"}, Column{"transfer_s", "transfer"}}) {
    table.columns.push_back(std::move(column));
  }
  for (const auto& row : rows) {
    auto cells = question_cells(row.system, row.question);
    for (Cell cell : {Cell(to_string(row.cost.algorithm)), Cell(row.cost.total()), Cell(row.cost.latency),
                      Cell(row.cost.transfer)}) {
      cells.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table calibration_table(const collectives::Calibration& calibration) {
  Table table{.columns = {{"wire", "wire"},
                          {"efficiency", "efficiency"},
                          {"start_s", "start"},
                          {"step_s", "step"},
                          {"quick_efficiency", "quick"},
                          {"quick_start_s", "start"},
                          {"quick_step_s", "step"}},
              .rows = {},
              .notes = {}};
  for (std::size_t i = 0; i < collectives::kWires.size(); ++i) {
    const collectives::WireCoefficients& w = calibration.wires.at(i);
    table.rows.push_back({collectives::kWires.at(i), share(w.efficiency), Seconds{w.start}, Seconds{w.step},
                          share(w.quick_efficiency), Seconds{w.quick_start}, Seconds{w.quick_step}});
  }
  table.notes.push_back(std::to_string(calibration.rows) + " rows, " +
                        std::to_string(calibration.systems.size()) + " systems, " +
                        std::to_string(calibration.placements.size()) + " placements");
  table.notes.push_back(widths_note("collectives", calibration.collective_widths));
  table.notes.push_back(widths_note("messages", calibration.message_widths));
  return table;
}

void write_collective_answers(std::ostream& out, const CsvTable& table,
                              const std::vector<collectives::CollectiveAnswer>& answers) {
  std::vector<std::size_t> copied;
  std::vector<std::string> line;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (std::ranges::find(kCollectiveAnswerColumns, table.header()[c]) != kCollectiveAnswerColumns.end())
      continue;
    copied.push_back(c);
    line.push_back(table.header()[c]);
  }
  line.insert(line.end(), kCollectiveAnswerColumns.begin(), kCollectiveAnswerColumns.end());
  write_csv_row(out, line);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    line.clear();
    for (const std::size_t c : copied) line.push_back(table.text(row, c));
    for (auto& cell : answer_cells(answers[row])) line.push_back(std::move(cell));
    write_csv_row(out, line);
  }
}

}  // namespace sextant::report
