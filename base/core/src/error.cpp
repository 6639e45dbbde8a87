#include "sextant/core/error.h"

#include <utility>

namespace sextant {
namespace {

std::string render(const SourcePos& at, const std::string& what, const std::string& hint) {
  const std::string place = at.str();
  return (place.empty() ? "" : place + ": ") + "error: " + what + (hint.empty() ? "" : "\n  hint: " + hint);
}

}  // namespace

std::string SourcePos::str() const {
  const std::string name = field ? "`" + file + "`" : file;
  if (line == 0) return name;
  return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

SourcePos at_field(std::string name) {
  return {.file = std::move(name), .field = true};
}

InputError::InputError(const SourcePos& at, const std::string& what, const std::string& hint)
    : std::runtime_error(render(at, what, hint)), at_(at), message_(what), hint_(hint) {}

InputError::InputError(const std::string& what) : InputError(SourcePos{}, what) {}

}  // namespace sextant
