#include "json_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_stream.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::jobs {
namespace {

constexpr int kItemDepth = 2;  // the document, its list, an element
constexpr int kDeepest = 200;  // deeper than any real document; the library destroys values recursively

class ItemParser {
 public:
  ItemParser(const std::string& text, const std::string& file, std::string_view key, const TakeJsonItem& take)
      : text_(text), file_(file), key_(key), take_(take) {}

  void parse() {
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    try {
      const Json rest = Json::parse(
          CountingIterator(begin, begin, &read_), CountingIterator(end, begin, &read_),
          [this](int depth, Json::parse_event_t event, Json& value) { return on(depth, event, value); });
    } catch (const nlohmann::json::exception& error) {
      fail("this is not JSON: " + json_reason(error.what()));
    }
    if (!found_) {
      throw InputError({file_, 1, 1}, "the document has no list '" + std::string(key_) + "'");
    }
  }

 private:
  // False drops the value from the document.
  bool on(int depth, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (depth > kDeepest) fail("nested too deeply");
    if (event == Event::value && value.is_string() && has_nul(value)) fail("a NUL byte in a text");
    if (event == Event::key && depth == 1) in_list_ = value.get_ref<const std::string&>() == key_;
    if (event == Event::array_start && depth == 1 && in_list_) found_ = true;
    if (depth != kItemDepth || !in_list_ || !found_) return true;
    if (event == Event::object_start) line_ = line();
    if (event == Event::object_end) take_(value, line_);
    return event == Event::object_start || event == Event::array_start || event == Event::key;
  }

  static bool has_nul(const Json& value) {
    return value.get_ref<const std::string&>().find('\0') != std::string::npos;
  }

  std::int64_t line() {
    const std::size_t end = std::min(read_, text_.size());
    lines_ += std::count(text_.data() + counted_, text_.data() + end, '\n');
    counted_ = end;
    return lines_;
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::size_t end = std::min(read_, text_.size());
    throw InputError(position_in(text_, end > 0 ? end - 1 : 0, file_), what);
  }

  const std::string& text_;
  const std::string& file_;
  std::string_view key_;
  const TakeJsonItem& take_;
  std::size_t read_ = 0;  // bytes so far
  std::size_t counted_ = 0;
  std::int64_t lines_ = 1;
  std::int64_t line_ = 1;  // on which the element begins
  bool in_list_ = false;
  bool found_ = false;
};

}  // namespace

void for_each_item(const std::string& text, const std::string& file, std::string_view key,
                   const TakeJsonItem& take) {
  ItemParser(text, file, key, take).parse();
}

const Json* member_at(const Json& object, std::string_view path) {
  const Json* at = &object;
  for (const std::string& name : split(path, '.')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string text_at(const Json& object, std::string_view path) {
  const Json* found = member_at(object, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace sextant::jobs
