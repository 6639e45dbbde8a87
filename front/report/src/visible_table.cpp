#include "visible_table.h"

#include "sextant/core/visible_text.h"

namespace sextant::report {

Table visible_table(Table table) {
  for (Column& column : table.columns) {
    column.title = visible(column.title);
    column.legend = visible(column.legend, LineBreaks::kept);
  }
  for (std::string& line : table.notes) line = visible(line, LineBreaks::kept);
  for (auto& row : table.rows) {
    for (Cell& cell : row) cell.shown = visible(cell.shown);
  }
  return table;
}

}  // namespace sextant::report
