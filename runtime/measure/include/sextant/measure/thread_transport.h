// A transport between threads of one process: messages are queues, a sum is made by rank 0 in the order of
// ranks. Ranks beyond the workers are servers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/measure/transport.h"

namespace sextant::measure {

class ThreadHub {
 public:
  explicit ThreadHub(std::int64_t workers, std::int64_t servers)
      : workers_(workers), size_(workers + servers) {}
  [[nodiscard]] std::int64_t workers() const { return workers_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

  using Channel = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;  // from, to, tag
  void put(const Channel& channel, std::vector<std::byte> message) {
    const std::lock_guard lock(mutex_);
    queues_[channel].push_back(std::move(message));
    changed_.notify_all();
  }
  std::vector<std::byte> get(const Channel& channel) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !queues_[channel].empty(); });
    if (closed_) throw SystemError("rank " + std::to_string(std::get<0>(channel)) + " is gone");
    std::vector<std::byte> message = std::move(queues_[channel].front());
    queues_[channel].pop_front();
    return message;
  }
  void close() {  // a rank failed: nobody waits for it
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::int64_t workers_;
  std::int64_t size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Channel, std::deque<std::vector<std::byte>>> queues_;
  bool closed_ = false;
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadHub& hub, std::int64_t rank) : hub_(hub), rank_(rank) {}
  [[nodiscard]] std::int64_t rank() const override { return rank_; }
  [[nodiscard]] std::int64_t size() const override { return hub_.size(); }

  void all_reduce(std::span<float> values) override {
    sums_ += values.size_bytes();
    const auto bytes = std::as_writable_bytes(values);
    if (rank_ != 0) {
      put(0, kSumTag, bytes);
      take(0, kSumTag, bytes);
      return;
    }
    std::vector<float> other(values.size());
    for (std::int64_t from = 1; from < hub_.workers(); ++from) {
      take(from, kSumTag, std::as_writable_bytes(std::span(other)));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += other[i];
    }
    for (std::int64_t to = 1; to < hub_.workers(); ++to) put(to, kSumTag, bytes);
  }
  void barrier() override {
    std::vector<float> nothing(1);
    all_reduce(nothing);
  }
  void send(std::int64_t to, std::uint32_t tag, std::span<const std::byte> bytes) override {
    put(to, tag, bytes);
    messages_ += bytes.size();
  }
  void receive(std::int64_t from, std::uint32_t tag, std::span<std::byte> bytes) override {
    take(from, tag, bytes);
  }
  [[nodiscard]] WireBytes bytes() const override {
    return {.payload = static_cast<double>(sums_ + messages_), .theoretical = 0};
  }

 private:
  static constexpr std::uint32_t kSumTag = 1;
  void put(std::int64_t to, std::uint32_t tag, std::span<const std::byte> bytes) {
    hub_.put({rank_, to, tag}, {bytes.begin(), bytes.end()});
  }
  void take(std::int64_t from, std::uint32_t tag, std::span<std::byte> bytes) {
    const std::vector<std::byte> message = hub_.get({from, rank_, tag});
    if (message.size() != bytes.size()) throw std::logic_error("a message of another length was expected");
    if (!bytes.empty()) std::memcpy(bytes.data(), message.data(), bytes.size());
  }

  ThreadHub& hub_;
  std::int64_t rank_;
  std::atomic<std::size_t> sums_ = 0;
  std::atomic<std::size_t> messages_ = 0;
};

}  // namespace sextant::measure
