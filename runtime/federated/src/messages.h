// What the server and the hosts of clients say to each other. The server sends a task to each host; the host
// announces the update of each client as soon as it is trained, and sends it when the server wants it: what
// is of the wrong size, of nobody or too much is never sent.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

namespace sextant::federated {

constexpr std::uint32_t kFederatedTag = 32;  // and the host's rank: hosts are served by threads of their own
constexpr std::uint32_t kFederatedMagic = 0x53584644;  // "SXFD"

inline std::uint32_t tag_of(std::int64_t host) {
  return kFederatedTag + static_cast<std::uint32_t>(host);
}

// The first message of a host; the server answers with a secret for each of its clients, in rising order.
struct HostHello {
  std::uint32_t magic = kFederatedMagic;
  std::uint32_t unused = 0;
  std::int64_t clients = 0;
  std::int64_t values = 0;     // parameters and statistics of its model
  std::uint64_t checksum = 0;  // of the clients' numbers of samples
};

// Numbers of clients and then the values of the model follow, if there are clients.
struct TaskHead {
  std::uint32_t magic = kFederatedMagic;
  std::uint32_t last = 0;  // 1: there is nothing more to do
  std::int64_t round = 0;
  std::int64_t clients = 0;
  double proximal = 0;
};

// On the line of the client that stands at `slot` of the task; what else it says may be untrue. The answer is
// a Wanted; the values follow where they are wanted.
struct UpdateHead {
  std::uint32_t magic = kFederatedMagic;
  std::uint32_t last = 0;  // 1: no client is left; the rest says nothing
  std::int64_t slot = 0;
  std::int64_t client = 0;
  std::uint64_t secret = 0;
  std::int64_t round = 0;
  std::int64_t values = 0;
  std::int64_t samples = 0;
  std::int64_t steps = 0;
  double loss = 0;
  double seconds = 0;
};
static_assert(std::is_trivially_copyable_v<HostHello> && std::is_trivially_copyable_v<TaskHead> &&
              std::is_trivially_copyable_v<UpdateHead>);

enum class Wanted : std::uint64_t { no = 0, yes = 1 };

template <class T>
std::span<const std::byte> sent(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}
template <class T>
std::span<std::byte> received(T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace sextant::federated
