// Where the user's own catalogue lives: SEXTANT_HOME, else XDG_CONFIG_HOME/sextant, else ~/.config/sextant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sextant::cli {

// Empty where there is no home.
std::filesystem::path user_folder();
// *.toml of that folder, sorted; they lie over the built-in catalogue and under --catalog.
std::vector<std::string> user_catalog_files();

}  // namespace sextant::cli
