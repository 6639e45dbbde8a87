// Claims of this process, renewed by a thread of its own while trials run, whatever they do.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "sextant/study/study_store.h"

namespace sextant::study {

class Claims {
 public:
  // `failed` is told of a store that cannot be reached any more.
  Claims(std::unique_ptr<StudyStore> store, std::function<void(std::exception_ptr)> failed);
  ~Claims();
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

  // A claim from its making to its end.
  class Held {
   public:
    Held(Claims& claims, const StoredTrial& trial);
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    [[nodiscard]] bool lost() const { return entry_->lost; }

   private:
    friend class Claims;
    struct Entry {
      std::int64_t number;
      std::string worker;
      std::atomic<bool> lost{false};
    };
    Claims& claims_;
    std::shared_ptr<Entry> entry_;
  };

 private:
  void renew();

  std::unique_ptr<StudyStore> store_;
  std::function<void(std::exception_ptr)> failed_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::list<std::shared_ptr<Held::Entry>> held_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace sextant::study
