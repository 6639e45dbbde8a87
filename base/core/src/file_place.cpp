#include "file_place.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "sextant/core/error.h"
#include "sextant/core/whole_file.h"

namespace sextant {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as Linux follows
constexpr std::string_view kMark = ".sextant-";
constexpr std::string_view kEnding = ".part";
constexpr std::size_t kUnique = 16;  // hexadecimal digits
constexpr std::string_view kUniqueDigits = "0123456789abcdef";

// As the kernel decides with protected_symlinks: whoever made the link may lead us there if it is ourselves,
// or the owner of the folder, who could replace the file anyway.
bool from_a_stranger(const fs::path& link, uid_t maker) {
  struct stat folder {};
  const fs::path parent = link.has_parent_path() ? link.parent_path() : fs::path(".");
  if (maker == geteuid() || stat(parent.c_str(), &folder) != 0) return false;
  const bool all_may_write = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return all_may_write && folder.st_uid != maker;
}

bool is_temporary_of(std::string_view file, const std::string& name) {
  const std::string begin = "." + name + std::string(kMark);
  if (!file.starts_with(begin) || !file.ends_with(kEnding)) return false;
  file.remove_prefix(begin.size());
  return file.size() == kUnique + kEnding.size() && file.find_first_not_of(kUniqueDigits) == kUnique;
}

}  // namespace

fs::path followed(const std::string& path) {
  fs::path place = path;
  for (int links = 0; links < kMostLinks; ++links) {
    struct stat status {};
    if (lstat(place.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return place;
    if (from_a_stranger(place, status.st_uid)) {
      throw InputError({path},
                       "this is a link that another user made, in a folder that everybody may write to",
                       "remove the link, or name the file itself");
    }
    std::error_code unread;
    const fs::path target = fs::read_symlink(place, unread);
    if (unread) return place;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  throw InputError({path}, "this link leads to links without end", "name the file itself");
}

std::string temporary_name(const std::string& name) {
  std::array<unsigned char, kUnique / 2> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) throw SystemError("no entropy for the name of a file");
  std::string unique;
  for (const unsigned char byte : bytes) {
    unique += kUniqueDigits[byte >> 4];
    unique += kUniqueDigits[byte & 15];
  }
  return "." + name + std::string(kMark) + unique + std::string(kEnding);
}

void remove_abandoned(int folder, const std::string& name) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return;  // a folder that we may not look into keeps what it has
  const auto close_list = [](DIR* list) { closedir(list); };
  const std::unique_ptr<DIR, decltype(close_list)> list(fdopendir(again), close_list);
  if (!list) {
    ::close(again);
    return;
  }
  while (const dirent* entry = readdir(list.get())) {
    if (!is_temporary_of(entry->d_name, name)) continue;
    const OpenFile file(openat(folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.open() && flock(file.get(), LOCK_EX | LOCK_NB) == 0) unlinkat(folder, entry->d_name, 0);
  }
}

}  // namespace sextant
