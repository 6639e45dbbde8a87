// JSON as a stream of events, with the place of each: what readers of large documents share.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>

namespace sextant::jobs {

// "[json.exception.parse_error.101] parse error at line 1, column 2: reason", of which the reason.
inline std::string json_reason(const std::string& what) {
  std::size_t at = what.find("] ");
  at = at == std::string::npos ? 0 : at + 2;
  const std::size_t column = what.find("column ", at);
  const std::size_t colon = column == std::string::npos ? column : what.find(": ", column);
  return what.substr(colon == std::string::npos ? at : colon + 2);
}

// Tells how far the JSON reader has come.
class CountingIterator {
 public:
  // Names that the standard library looks for.
  // NOLINTBEGIN(readability-identifier-naming)
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  CountingIterator(const char* at, const char* begin, std::size_t* count)
      : at_(at), begin_(begin), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *count_ = static_cast<std::size_t>(at_ - begin_);
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char* begin_;
  std::size_t* count_;
};

}  // namespace sextant::jobs
