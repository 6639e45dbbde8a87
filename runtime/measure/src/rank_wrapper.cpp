#include "rank_wrapper.h"

#include <string_view>

#include "sextant/core/error.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/shell_words.h"

namespace sextant::measure {
namespace {

constexpr std::string_view kRank = "{rank}";

// What stands between the places of the rank, each through `quoted`, with `rank` between them.
template <class Quoted>
std::string with_rank(std::string_view word, const std::string& rank, const Quoted& quoted) {
  std::string text;
  for (std::size_t place = word.find(kRank); place != std::string_view::npos; place = word.find(kRank)) {
    text += quoted(std::string(word.substr(0, place))) + rank;
    word.remove_prefix(place + kRank.size());
  }
  return text + quoted(std::string(word));
}

}  // namespace

std::vector<std::string> wrapped_command(const RunRequest& request, std::int64_t rank) {
  std::vector<std::string> words;
  if (!request.wrapper.empty()) {
    const auto program = find_program(request.wrapper[0]);
    if (!program) throw SystemError(request.wrapper[0] + " is not installed");
    for (const std::string& word : request.wrapper) {
      words.push_back(with_rank(word, std::to_string(rank), [](std::string part) { return part; }));
    }
    words[0] = program->string();
    if (find_program("setpriv")) words.insert(words.end(), {"setpriv", "--pdeathsig", "KILL"});
  }
  words.insert(words.end(), {request.worker.string(), request.folder.path().string()});
  return words;
}

std::string wrapper_line(const std::vector<std::string>& wrapper) {
  std::string line;
  for (const std::string& word : wrapper) line += with_rank(word, "\"$SEXTANT_RANK\"", shell_quoted) + " ";
  return line;
}

}  // namespace sextant::measure
