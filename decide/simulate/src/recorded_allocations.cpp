// Shares that Gavel's policies gave, one JSON value a line: "[t, {job: {type: share}}]". Read by hand, since
// a packed run holds millions of numbers and nothing else of JSON.
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/simulate/gavel.h"

namespace sextant::simulate {
namespace {

constexpr double kMaxShare = 1 + 1e-6;  // what solvers leave above 1

class AllocationParser {
 public:
  AllocationParser(const std::string& text, const std::string& file, const clusters::Cluster& cluster)
      : text_(text), file_(file) {
    for (const clusters::Pool& pool : cluster.pools) types_.push_back(pool.type);
  }

  std::vector<RecordedAllocation> parse() {
    std::vector<RecordedAllocation> all;
    skip_space();
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      all.push_back(record());
      if (all.size() > 1 && all.back().time < all[all.size() - 2].time)
        fail_at(begin, "the time is before that of the line above");
      skip_space();
    }
    return all;
  }

 private:
  RecordedAllocation record() {
    RecordedAllocation record;
    expect('[');
    record.time = Seconds{number()};
    if (record.time < Seconds{0}) fail("the time is negative");
    expect(',');
    expect('{');
    if (!take('}')) {
      do record.shares.push_back(share());
      while (take(','));
      expect('}');
    }
    expect(']');
    return record;
  }

  RecordedShare share() {
    RecordedShare share;
    const std::size_t begin = at_;
    std::string_view key = quoted();
    if (key.starts_with('(') && key.ends_with(')')) {
      key = key.substr(1, key.size() - 2);
      const std::size_t comma = std::min(key.find(','), key.size());
      share.first = job(key.substr(0, comma), begin);
      share.second = job(trim(key.substr(std::min(comma + 1, key.size()))), begin);
      if (share.first >= share.second) fail_at(begin, "the jobs of a pair must ascend");
    } else {
      share.first = job(key, begin);
    }
    expect(':');
    shares_by_type(share);
    return share;
  }

  void shares_by_type(RecordedShare& share) {
    share.share.assign(types_.size(), 0.0);
    expect('{');
    if (take('}')) return;
    do {
      const std::size_t begin = at_;
      const std::string_view name = quoted();
      expect(':');
      const std::size_t value_at = at_;
      const double value = number();
      if (value < 0 || value > kMaxShare) fail_at(value_at, "a share lies from 0 to 1");
      share.share[type(name, begin)] = value;
    } while (take(','));
    expect('}');
  }

  [[nodiscard]] std::size_t type(std::string_view name, std::size_t at) const {
    for (std::size_t t = 0; t < types_.size(); ++t) {
      if (types_[t] == name) return t;
    }
    throw InputError(position_in(text_, at, file_), "the cluster has no type '" + std::string(name) + "'",
                     name_hint(name, types_));
  }

  [[nodiscard]] std::int32_t job(std::string_view text, std::size_t at) const {
    const auto value = to_integer(text);
    if (!value || *value < 0 || *value > std::numeric_limits<std::int32_t>::max())
      fail_at(at, "'" + std::string(text) + "' is not a job", "jobs are lines of the trace, from 0");
    return static_cast<std::int32_t>(*value);
  }

  std::string_view quoted() {
    expect('"');
    const std::size_t begin = at_;
    const std::size_t end = text_.find_first_of("\"\\\n", begin);
    if (end == std::string::npos || text_[end] != '"') fail("a quote is not closed");
    at_ = end + 1;
    return std::string_view(text_).substr(begin, end - begin);
  }

  double number() {
    skip_space();
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("a finite number is expected here");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  void expect(char c) {
    if (!take(c)) fail("'" + std::string(1, c) + "' is expected here", "[t, {\"job\": {\"type\": share}}]");
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    fail_at(at_, what, hint);
  }
  [[noreturn]] void fail_at(std::size_t at, const std::string& what, const std::string& hint = {}) const {
    throw InputError(position_in(text_, at, file_), what, hint);
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<std::string> types_ = {};
  std::size_t at_ = 0;
};

// zlib reads files that are not compressed as they are.
std::string read_maybe_gzip(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (file == nullptr) throw InputError({path}, "the file cannot be opened");
  std::string text;
  std::string chunk(std::size_t{1} << 20, '\0');
  while (true) {
    const int count = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    int code = Z_OK;
    const char* const why = gzerror(file.get(), &code);
    if (count < 0 || (code != Z_OK && code != Z_STREAM_END))
      throw InputError({path}, "the file cannot be read: " + std::string(why), "is the file complete?");
    if (count == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<RecordedAllocation> parse_recorded_allocations(const std::string& text, const std::string& file,
                                                           const clusters::Cluster& cluster) {
  return AllocationParser(text, file, cluster).parse();
}

std::vector<RecordedAllocation> read_recorded_allocations(const std::string& path,
                                                          const clusters::Cluster& cluster) {
  return parse_recorded_allocations(read_maybe_gzip(path), path, cluster);
}

}  // namespace sextant::simulate
