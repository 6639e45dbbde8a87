#include "memory_text.h"

#include <sys/resource.h>

#include "sextant/core/unit_text.h"

namespace sextant::cli {

std::string out_of_memory_text(const std::string& command_line) {
  std::string text = "there is not enough memory for '" + command_line + "'";
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    text +=
        "; the program held at most " + human(Bytes{static_cast<double>(used.ru_maxrss) * 1024});  // in KiB
  }
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (limited) text += ", and may take " + human(Bytes{static_cast<double>(limit.rlim_cur)}) + " (ulimit -v)";
  return text + "\n  hint: ask for less at once: shorter lists, fewer jobs, seeds, rows or threads" +
         (limited ? "; or raise the limit" : "; or use a machine with more memory");
}

}  // namespace sextant::cli
