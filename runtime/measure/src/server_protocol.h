// What workers and parameter servers say to each other. Messages of a worker and a server come in order; each
// begins with a head that says what follows, and carries the W3C trace context of the span that sent it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "sextant/core/error.h"
#include "sextant/measure/transport.h"

namespace sextant::measure {

constexpr std::uint32_t kServerTag = 16;
constexpr std::uint32_t kServerMagic = 0x53585053;  // "SXPS"

enum class ServerCall : std::uint32_t {
  hello,  // sizes of buckets and a checksum follow; of rank 0 also the values. Answer: a verdict
  push,   // gradients of bucket `index` follow; after the last one the parameters of all are the answer
  state,  // the answer: updates, then parameters and moments of each bucket
  bye
};

struct ServerHead {
  std::uint32_t magic = kServerMagic;
  ServerCall call = ServerCall::bye;
  std::int64_t iteration = 0;
  std::int64_t index = 0;    // hello: number of buckets
  std::int64_t updates = 0;  // hello of rank 0: so many have been made, and moments follow
  std::uint64_t checksum = 0;
  std::array<char, 56> traceparent = {};  // empty without spans
};
static_assert(std::is_trivially_copyable_v<ServerHead>);

// A server's verdict on the hellos of all workers.
enum class HelloVerdict : std::uint64_t { welcome = 1, differs = 2 };

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}
template <class T>
std::span<std::byte> writable_bytes_of(T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace sextant::measure
