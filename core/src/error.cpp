#include "sextant/core/error.h"

namespace sextant {
namespace {

std::string render(const SourcePos& at, const std::string& what, const std::string& hint) {
  const std::string place = at.str();
  return (place.empty() ? "" : place + ": ") + "error: " + what + (hint.empty() ? "" : "\n  hint: " + hint);
}

}  // namespace

std::string SourcePos::str() const {
  if (line == 0) return file;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

InputError::InputError(const SourcePos& at, const std::string& what, const std::string& hint)
    : std::runtime_error(render(at, what, hint)), at_(at), message_(what), hint_(hint) {}

InputError::InputError(const std::string& what) : InputError(SourcePos{}, what) {}

}  // namespace sextant
