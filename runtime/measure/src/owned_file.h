// Files that say that a process lives: it holds them locked, and the kernel lets go of the lock when it dies,
// however it dies.
#pragma once

#include <filesystem>

#include "sextant/measure/file_descriptor.h"

namespace sextant::measure {

// Makes the file, locked before anybody sees it under this name. Not open where the file system knows no
// locks: then there is no file, and nobody takes its maker for dead.
FileDescriptor make_owned_file(const std::filesystem::path& path);

// Open, and locked by us, where the file is there and its maker is dead.
FileDescriptor lock_of_the_dead(const std::filesystem::path& path);

// Does it belong to the user who runs this?
bool is_own(const std::filesystem::path& path);

}  // namespace sextant::measure
