// Where a file that people name really stands.
#pragma once

#include <filesystem>
#include <string>

namespace sextant {

// The path with its last part followed, link by link. InputError: too many links, or one that a stranger
// made.
std::filesystem::path followed(const std::string& path);

// Removes what killed writers of folder/name left; those of living writers are locked and stay.
void remove_abandoned(int folder, const std::string& name);

// Hidden, unique, and recognised by remove_abandoned().
std::string temporary_name(const std::string& name);

}  // namespace sextant
