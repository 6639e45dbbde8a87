#include "throughput_parser.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json_stream.h"
#include "sextant/core/csv.h"

namespace sextant::jobs {
namespace {

constexpr std::string_view kSpreadSuffix = "_unconsolidated";
// Far above any real table; they bound the memory that a hostile one can ask for.
constexpr std::size_t kMostTypes = 64;
constexpr std::size_t kMostKeys = 10'000;
constexpr std::string_view kShape =
    R"json({"v100": {"('ResNet-50 (batch size 64)', 1)": {"null": 8.9, "('LM (batch size 5)', 1)": [5.1, 20.3]}}})json";

}  // namespace

// Events of the JSON reader: which level of the table they are at, and what may stand there.
class ThroughputEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ThroughputEvents(ThroughputParser& parser) : parser_(parser) {}

  bool null() override { return misplaced("null"); }
  bool boolean(bool) override { return misplaced("a truth value"); }
  bool number_integer(std::int64_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) override { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) override { return number(value); }
  bool string(std::string&) override { return misplaced("a text"); }
  bool binary(nlohmann::json::binary_t&) override { return misplaced("binary data"); }

  bool start_object(std::size_t) override {
    if (depth_ == 3 || in_array_) return misplaced("an object");
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 3 || in_array_ || parser_.alone_next_) return misplaced("a list");
    in_array_ = true;
    count_ = 0;
    return true;
  }
  bool end_array() override {
    if (count_ != 2) parser_.fail("a pair has two speeds, and here are " + std::to_string(count_));
    in_array_ = false;
    parser_.pair(pair_[0], pair_[1]);
    return true;
  }
  bool key(std::string& name) override {
    if (depth_ == 1) parser_.type(name);
    if (depth_ == 2) parser_.job(name);
    if (depth_ == 3) parser_.other(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    parser_.fail("this is not JSON: " + json_reason(error.what()));
  }

 private:
  bool number(double value) {
    if (depth_ != 3) return misplaced("a number");
    if (!std::isfinite(value) || value < 0) parser_.fail("a speed must be finite and not below zero");
    if (!in_array_) {
      if (!parser_.alone_next_) return misplaced("a number");
      parser_.alone(value);
    } else if (count_++ < 2) {
      pair_[count_ - 1] = value;
    }
    return true;
  }
  [[noreturn]] bool misplaced(const std::string& what) const {
    parser_.fail(what + " has no place here", "a table looks like " + std::string(kShape));
  }

  ThroughputParser& parser_;
  int depth_ = 0;
  bool in_array_ = false;
  std::size_t count_ = 0;
  std::array<double, 2> pair_ = {};
};

ThroughputTable ThroughputParser::parse() {
  ThroughputEvents events(*this);
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  nlohmann::json::sax_parse(CountingIterator(begin, begin, &end_), CountingIterator(end, begin, &end_),
                            &events);
  return table();
}

void ThroughputParser::type(const std::string& name) {
  const bool twice = std::ranges::any_of(types_, [&](const TypeRows& t) { return t.name == name; });
  if (name.empty() || twice) fail("type '" + name + "' " + (twice ? "stands twice" : "has no name"));
  if (types_.size() == kMostTypes) fail("more than " + std::to_string(kMostTypes) + " types of GPU");
  const bool spread = name.size() > kSpreadSuffix.size() && name.ends_with(kSpreadSuffix);
  types_.push_back({.name = name, .spread = spread});
}

void ThroughputParser::job(const std::string& name) {
  job_ = key_of(name);
  std::vector<bool>& seen = types_.back().seen;
  seen.resize(std::max(seen.size(), job_ + 1));
  if (seen[job_]) fail("'" + name + "' stands twice for '" + types_.back().name + "'");
  seen[job_] = true;
}

void ThroughputParser::other(const std::string& name) {
  alone_next_ = name == "null";
  if (!alone_next_) other_ = key_of(name);
}

void ThroughputParser::alone(double value) {
  if (!types_.back().alone.emplace(job_, value).second) fail("'null' stands twice");
}

void ThroughputParser::pair(double mine, double others) {
  if (!types_.back().together.emplace(std::pair{job_, other_}, std::pair{mine, others}).second) {
    fail("a pair stands twice");
  }
}

std::size_t ThroughputParser::key_of(const std::string& name) {
  const std::optional<ThroughputKey> key = parse_throughput_key(name);
  if (!key) fail("'" + name + "' names no job", "written like \"('ResNet-50 (batch size 64)', 4)\"");
  const auto [place, fresh] = places_.emplace(*key, keys_.size());
  if (fresh) keys_.push_back(*key);
  if (keys_.size() > kMostKeys) fail("more than " + std::to_string(kMostKeys) + " jobs");
  return place->second;
}

ThroughputTable ThroughputParser::table() const {
  ThroughputTable table;
  table.keys_ = keys_;
  for (const TypeRows& rows : types_) {
    if (!rows.spread) table.types_.push_back(rows.name);
  }
  if (table.types_.empty() || keys_.empty()) {
    throw InputError({file_}, "the file has no throughputs", "a table looks like " + std::string(kShape));
  }
  table.alone_.assign(table.types_.size() * keys_.size(), 0);
  table.spread_.assign(table.types_.size() * keys_.size(), std::nullopt);
  for (const TypeRows& rows : types_) fill(table, rows);
  return table;
}

void ThroughputParser::fill(ThroughputTable& table, const TypeRows& rows) const {
  const std::string name =
      rows.spread ? rows.name.substr(0, rows.name.size() - kSpreadSuffix.size()) : rows.name;
  const auto found = std::ranges::find(table.types_, name);
  if (found == table.types_.end()) {
    throw InputError({file_}, "the table has '" + rows.name + "' and not '" + name + "'");
  }
  const auto type = static_cast<std::size_t>(found - table.types_.begin());
  for (const auto& [key, value] : rows.alone) {
    if (rows.spread) {
      table.spread_[type * keys_.size() + key] = value;
    } else {
      table.alone_[type * keys_.size() + key] = value;
    }
  }
  if (rows.spread) return;  // pairs whose GPUs are spread too: nobody asks for them
  for (const auto& [keys, speeds] : rows.together) {
    table.together_.emplace((type * keys_.size() + keys.first) * keys_.size() + keys.second, speeds);
  }
}

// Where the token begins that ends at end_.
void ThroughputParser::fail(const std::string& what, const std::string& hint) const {
  std::size_t at = std::min(end_, text_.size());
  if (at > 0 && text_[at - 1] == '"') {
    const std::size_t open = at > 1 ? text_.rfind('"', at - 2) : std::string::npos;
    at = open == std::string::npos ? at - 1 : open;
  } else if (at > 0) {
    --at;  // the character after a number was looked at
    const std::size_t before = text_.find_last_of(" \t\r\n,:[{", at > 0 ? at - 1 : 0);
    if (before != std::string::npos && at - before < 40) at = before + 1;
  }
  throw InputError(position_in(text_, at, file_), what, hint);
}

}  // namespace sextant::jobs
