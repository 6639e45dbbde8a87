#include "sextant/federated/one_process.h"

#include <exception>
#include <mutex>
#include <thread>

#include "sextant/measure/thread_transport.h"

namespace sextant::federated {
namespace {

class OneProcess {
 public:
  explicit OneProcess(const OneProcessSetup& setup) : setup_(setup), hub_(setup.federation.hosts, 1) {}

  std::vector<RoundNote> run() {
    const std::int64_t hosts = setup_.federation.hosts;
    std::vector<std::unique_ptr<LocalModel>> models;
    for (std::int64_t rank = 0; rank <= hosts; ++rank) models.push_back(setup_.make_model());
    std::vector<RoundNote> rounds;
    {
      std::vector<std::jthread> threads;
      for (std::int64_t rank = 0; rank < hosts; ++rank) {
        threads.emplace_back([this, rank, &model = *models[static_cast<std::size_t>(rank)]] {
          guarded([&] { host(rank, model); });
        });
      }
      guarded([&] { rounds = serve(hosts, *models.back()); });
    }
    if (error_) std::rethrow_exception(error_);
    return rounds;
  }

 private:
  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      hub_.close();
    }
  }

  void host(std::int64_t rank, LocalModel& model) {
    measure::ThreadTransport transport(hub_, rank);
    run_host({.federation = setup_.federation,
              .data = setup_.data,
              .rank = rank,
              .transport = transport,
              .model = model,
              .spans = setup_.spans(rank),
              .beat = setup_.beat});
  }

  std::vector<RoundNote> serve(std::int64_t rank, LocalModel& model) {
    measure::ThreadTransport transport(hub_, rank);
    return run_server({.federation = setup_.federation,
                       .data = setup_.data,
                       .test = setup_.test,
                       .transport = transport,
                       .model = model,
                       .state = setup_.state,
                       .spans = setup_.spans(rank),
                       .beat = setup_.beat,
                       .finished = setup_.finished});
  }

  const OneProcessSetup& setup_;
  measure::ThreadHub hub_;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

std::vector<RoundNote> run_in_one_process(const OneProcessSetup& setup) {
  return OneProcess(setup).run();
}

}  // namespace sextant::federated
