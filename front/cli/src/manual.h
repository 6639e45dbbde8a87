// The manual from the declarations: one Markdown page of all commands, and pages for man(1).
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/command.h"

namespace sextant::cli {

std::string reference_page(const std::vector<Command>& commands, const std::vector<Option>& globals);

struct ManualPage {
  std::string file;  // "sextant-net-summary.1"
  std::string text;  // for man(1), in the macros of man(7)
};
// sextant(1), a page for each command, and one for the program that trains.
std::vector<ManualPage> manual_pages(const std::vector<Command>& commands,
                                     const std::vector<Option>& globals);

}  // namespace sextant::cli
