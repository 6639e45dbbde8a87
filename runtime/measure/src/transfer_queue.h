// Transfers of an iteration in a fixed order, each when its gradients are final: on a communication thread
// while the backward pass goes on, or on the training thread after it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sextant::measure {

class TransferQueue {
 public:
  // Called for each index < needs.size() in order, when tensor needs[index] and all before it are final;
  // `needs` does not fall. With overlap, `ready` is the instant at which they were.
  using Transfer = std::function<void(std::size_t index, std::int64_t ready)>;
  TransferQueue(std::vector<std::size_t> needs, bool overlap, Transfer transfer);
  ~TransferQueue();
  TransferQueue(const TransferQueue&) = delete;
  TransferQueue& operator=(const TransferQueue&) = delete;

  void ready(std::size_t tensor);  // by the training thread; tensors become final in any order
  // Waits until all transfers of this iteration are done; throws what a transfer threw. Gives the seconds
  // that transfers took, wherever they ran. `ready` then counts for the next iteration.
  double finish();

 private:
  void work();
  void run_one(std::size_t index, std::int64_t ready);
  void allow(std::size_t count);  // with mutex_ held

  std::vector<std::size_t> needs_;
  Transfer transfer_;
  std::vector<bool> final_;   // by tensor
  std::size_t complete_ = 0;  // tensors before this one are all final
  double transfer_s_ = 0;     // of this iteration, by whoever transfers

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::size_t allowed_ = 0;  // transfers that may start
  std::vector<std::int64_t> allowed_at_;
  std::size_t done_ = 0;
  bool stop_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // none without overlap
};

}  // namespace sextant::measure
