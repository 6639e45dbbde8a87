// A request as the desk sees it: the first line is verb and target, the rest the body.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "desk.h"
#include "thing_routes.h"

using namespace sextant::http;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Desk desk(sextant::test::thing_routes(), {.hosts = {"localhost"}});
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const std::string first = text.substr(0, line);
  const std::size_t blank = first.find(' ');
  if (line == std::string::npos || blank == std::string::npos) return 0;
  Desk::Accepted accepted = desk.accept({.verb = first.substr(0, blank),
                                         .target = first.substr(blank + 1),
                                         .host = "localhost:80",
                                         .content_type = "application/json"});
  const Response response =
      accepted.refusal ? *accepted.refusal : Desk::answer(accepted, text.substr(line + 1));
  if (response.status < 200 || response.status >= 500) __builtin_trap();
  if (!sextant::Json::accept(response.body)) __builtin_trap();  // an answer is JSON, whatever came
  return 0;
}
