#include "sextant/predict/case_file.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "case_row.h"
#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

struct Question {
  Case what;
  std::uint32_t index;  // into CaseAnswers::distinct
};

// Rows of one graph stand together in this order.
auto graph_key(const Question& q) {
  const nets::Binding& s = q.what.job.sizes;
  return std::tie(q.what.job.net, s.batch, s.image, s.seq, s.classes);
}

// And within one graph by what it is counted in.
auto count_key(const Question& q) {
  return std::tuple_cat(
      graph_key(q), std::tie(q.what.job.precision, q.what.says_precision, q.what.job.mode, q.what.job.stack));
}

// One line: a cell with a line break in it is a nuisance to every reader but a CSV parser.
std::string one_line(const InputError& error) {
  const std::string column = column_of(error);
  std::string text = (column.empty() ? "" : column + ": ") + error.message() +
                     (error.hint().empty() ? "" : " (" + error.hint() + ")");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// Keeps the last network and graph: questions come sorted, so each is made once and none is hoarded.
class Answerer {
 public:
  explicit Answerer(const CaseContext& context) : context_(context) {}

  CaseAnswer answer(const Question& question) {
    CaseAnswer answer;
    try {
      const catalog::Gpu& gpu = find_gpu(context_.catalog, question.what.gpu, {"gpu"});
      const std::int64_t on_a_node = question.what.job.layout.placement.fullest();
      check_node_size(context_.catalog, on_a_node, {"nodes"});
      prepare(question);
      jobs::Job job = question.what.job;
      job.net = network_.id;
      job.precision = precision_;
      fill_sizes(job.sizes, context_.defaults.job.sizes, network_);
      const Prediction p = context_.predictor.predict({job, graph_, cost_, gpu});
      answer = {.predicted = p.iteration,
                .interval = p.interval,
                .breakdown = p.breakdown,
                .memory = p.memory.total(),
                .fits = p.fits,
                .extrapolating = p.extrapolating,
                .strategy = p.strategy};
    } catch (const InputError& error) {
      answer.error = one_line(error);
    } catch (const SystemError& error) {
      answer.error = error.what();
    }
    return answer;
  }

 private:
  void prepare(const Question& question) {
    if (last_ != nullptr && count_key(*last_) == count_key(question)) return;
    if (last_ != nullptr && graph_key(*last_) == graph_key(question)) {
      count(question);
      return;
    }
    last_ = nullptr;  // until the new graph is complete
    const std::string& name = question.what.job.net;
    if (name != network_name_) {
      network_name_.clear();
      network_ = nets::find_network(name, {"net"});
      network_name_ = name;
    }
    nets::Binding sizes = question.what.job.sizes;
    fill_sizes(sizes, context_.defaults.job.sizes, network_);
    graph_ = build(network_, sizes);
    count(question);
  }
  void count(const Question& question) {
    const Case& what = question.what;
    const auto& usual = context_.defaults.usual_precision;
    precision_ = what.says_precision || !usual ? what.job.precision : usual(network_, what.job);
    cost_ = cost(graph_, precision_);
    last_ = &question;
  }

  const CaseContext& context_;
  std::string network_name_;
  nets::Network network_;
  nets::Graph graph_;
  nets::GraphCost cost_;
  Precision precision_ = Precision::fp32;
  const Question* last_ = nullptr;
};

std::string column_list() {
  const std::vector<std::string> names(kCaseColumns.begin(), kCaseColumns.end());
  return join(names, ", ");
}

struct DistinctRows {
  CaseAnswers answers;
  std::vector<Question> questions = {};  // of the rows that can be read
};

DistinctRows distinct_rows(const CsvTable& table, const CaseContext& context) {
  const CaseColumns columns(table);
  if (!columns.has("net") && context.defaults.job.net.empty()) {
    throw InputError({table.file_name(), 1, 1}, "there is no column 'net'",
                     "the columns are " + column_list() + "; only net is required");
  }
  DistinctRows rows;
  std::unordered_map<std::string, std::uint32_t> seen;
  std::string key;
  rows.answers.of_row.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    columns.key(table, row, key);
    const auto next = static_cast<std::uint32_t>(rows.answers.distinct.size());
    const auto [it, fresh] = seen.try_emplace(key, next);
    rows.answers.of_row.push_back(it->second);
    if (!fresh) continue;
    CaseAnswer& answer = rows.answers.distinct.emplace_back();
    try {
      rows.questions.push_back({read_case(table, columns, row, context.defaults), next});
    } catch (const InputError& error) {
      answer.error = one_line(error);
    }
  }
  return rows;
}

}  // namespace

CaseAnswers answer_cases(const CsvTable& table, const CaseContext& context) {
  DistinctRows rows = distinct_rows(table, context);
  std::ranges::stable_sort(rows.questions,
                           [](const Question& a, const Question& b) { return count_key(a) < count_key(b); });
  Answerer answerer(context);
  for (const Question& question : rows.questions) {
    rows.answers.distinct[question.index] = answerer.answer(question);
  }
  return std::move(rows.answers);
}

std::vector<std::string> misspelt_columns(const CsvTable& table) {
  std::vector<std::string> absent;
  for (const auto name : kCaseColumns) {
    if (!table.find_column(name)) absent.emplace_back(name);
  }
  std::vector<std::string> lines;
  for (const auto& name : table.header()) {
    if (std::ranges::find(kCaseColumns, name) != kCaseColumns.end()) continue;
    if (const auto near = nearest_name(name, absent)) {
      lines.push_back(table.file_name() + ": column '" + name + "' is copied, not read; did you mean '" +
                      *near + "'?");
    }
  }
  return lines;
}

}  // namespace sextant::predict
