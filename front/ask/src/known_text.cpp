#include "known_text.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::ask {

void refuse_unknown(const std::string& text, const std::vector<std::string>& known, const SourcePos& at) {
  if (std::ranges::find(known, text) != known.end()) return;
  throw InputError(at, "'" + text + "' is not known here", name_hint(text, known));
}

}  // namespace sextant::ask
