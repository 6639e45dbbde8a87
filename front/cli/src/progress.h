// Progress on the terminal, or nowhere.
#pragma once

#include <memory>

#include "sextant/cli/command.h"
#include "sextant/core/progress.h"

namespace sextant::cli {

inline std::unique_ptr<Progress> progress_on(const Io& io) {
  if (io.err_is_terminal) return std::make_unique<LineProgress>(io.err);
  return std::make_unique<NoProgress>();
}

}  // namespace sextant::cli
