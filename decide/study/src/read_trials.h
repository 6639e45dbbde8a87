// Trials of a store as they were last read. One that has ended never changes: to be up to date, only those
// that ran and those that are new are read again, not all there are.
#pragma once

#include <set>
#include <vector>

#include "sextant/study/study_store.h"

namespace sextant::study {

class ReadTrials {
 public:
  [[nodiscard]] const std::vector<StoredTrial>& all() const { return all_; }
  [[nodiscard]] std::int64_t last() const { return std::ssize(all_); }  // number; 0: none was read
  [[nodiscard]] const std::set<std::int64_t>& running() const { return running_; }

  // As it is now; a new one comes right behind the last. InputError that names `where` for a gap.
  void put(StoredTrial trial, const std::string& where);
  void clear() { *this = {}; }

 private:
  std::vector<StoredTrial> all_;  // numbers from 1
  std::set<std::int64_t> running_;
};

}  // namespace sextant::study
