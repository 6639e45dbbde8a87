// Gloo over TCP. Workers have a context of their own for sums; messages with servers go through one of all
// ranks. Values are sent from where they lie: a registered buffer is a pointer and a length.
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "process_settings.h"
#include "sent_bytes.h"
#include "sextant/core/error.h"
#include "sextant/engine/transports.h"
#include "socket_bytes.h"

namespace sextant::engine {
namespace {

// Where this process listens: for several machines the name of an interface.
std::shared_ptr<gloo::transport::Device> make_device() {
  gloo::transport::tcp::attr attr;
  const char* interface = std::getenv("SEXTANT_INTERFACE");
  if (interface != nullptr && *interface != '\0')
    attr.iface = interface;
  else
    attr.hostname = "127.0.0.1";
  return gloo::transport::tcp::CreateDevice(attr);
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(seconds, 0.001, 1e6) * 1000));
}

// Gloo begins its texts with the line of its source.
std::string reason(const std::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  return text.starts_with("[") && end != std::string::npos ? text.substr(end + 2) : text;
}

class GlooTransport final : public measure::Transport {
 public:
  explicit GlooTransport(const TransportSetup& setup) : workers_(setup.trial.workers), rank_(setup.rank) {
    survive_lost_peers();
    auto device = make_device();
    gloo::rendezvous::FileStore store(setup.folder.rendezvous().string());
    const auto timeout = milliseconds(setup.trial.timeout_s);
    const auto connect = [&](const char* name, std::int64_t ranks) {
      auto context =
          std::make_shared<gloo::rendezvous::Context>(static_cast<int>(rank_), static_cast<int>(ranks));
      // Others may still be loading their libraries.
      context->setTimeout(std::max(timeout, std::chrono::milliseconds(30'000)));
      gloo::rendezvous::PrefixStore prefixed(name, store);
      context->connectFullMesh(prefixed, device);
      context->setTimeout(timeout);
      return context;
    };
    size_ = rank_count(setup.trial);
    all_ = connect("all", size_);
    if (rank_ < workers_) crew_ = size_ == workers_ ? all_ : connect("workers", workers_);
  }

  [[nodiscard]] std::int64_t rank() const override { return rank_; }
  [[nodiscard]] std::int64_t size() const override { return size_; }

  void all_reduce(std::span<float> values) override {
    if (values.empty() || workers_ == 1) return;
    guarded(neighbours(), [&] {
      gloo::AllreduceOptions options(crew_);
      options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
      options.setOutput(values.data(), values.size());
      options.setReduceFunction(
          static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&gloo::sum<float>));
      gloo::allreduce(options);
    });
    sent_.all_reduce(values.size_bytes(), workers_);
  }

  void barrier() override {
    if (workers_ == 1) return;
    guarded("another worker", [&] {
      gloo::BarrierOptions options(crew_);
      gloo::barrier(options);
    });
  }

  void send(std::int64_t to, std::uint32_t tag, std::span<const std::byte> bytes) override {
    guarded("rank " + std::to_string(to), [&] {
      // Gloo has one kind of buffer for both directions; this one is only read.
      auto buffer = all_->createUnboundBuffer(const_cast<std::byte*>(bytes.data()), bytes.size());
      buffer->send(static_cast<int>(to), tag);
      buffer->waitSend(all_->getTimeout());
    });
    sent_.message(bytes.size());
  }

  void receive(std::int64_t from, std::uint32_t tag, std::span<std::byte> bytes) override {
    guarded("rank " + std::to_string(from), [&] {
      auto buffer = all_->createUnboundBuffer(bytes.data(), bytes.size());
      buffer->recv(static_cast<int>(from), tag);
      buffer->waitRecv(all_->getTimeout());
    });
  }

  [[nodiscard]] measure::WireBytes bytes() const override {
    measure::WireBytes bytes = sent_.sum();
    bytes.kernel = kernel_bytes_sent();
    return bytes;
  }

 private:
  // A ring reads from one neighbour and writes to the other; which of them is gone Gloo does not say.
  [[nodiscard]] std::string neighbours() const {
    const std::int64_t left = (rank_ + workers_ - 1) % workers_;
    const std::int64_t right = (rank_ + 1) % workers_;
    return "rank " + std::to_string(left) + (left == right ? "" : " or rank " + std::to_string(right));
  }

  template <class Call>
  void guarded(const std::string& peer, const Call& call) {
    try {
      call();
    } catch (const gloo::Exception& error) {
      throw SystemError("rank " + std::to_string(rank_) + " lost " + peer + ": " + reason(error));
    }
  }

  std::int64_t workers_;
  std::int64_t rank_;
  std::int64_t size_ = 1;
  std::shared_ptr<gloo::rendezvous::Context> all_;
  std::shared_ptr<gloo::rendezvous::Context> crew_;  // none on servers
  SentBytes sent_;
};

}  // namespace

std::unique_ptr<measure::Transport> join_gloo(const TransportSetup& setup) {
  std::filesystem::create_directories(setup.folder.rendezvous());
  try {
    return std::make_unique<GlooTransport>(setup);
  } catch (const gloo::Exception& error) {
    throw SystemError("rank " + std::to_string(setup.rank) +
                      " did not find the others through Gloo: " + reason(error));
  } catch (const std::system_error& error) {
    throw SystemError("Gloo: " + std::string(error.what()));
  }
}

}  // namespace sextant::engine
