#include "socket_bytes.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <filesystem>

#include "sextant/core/text.h"

namespace sextant::engine {
namespace {

// 0 for what is no TCP connection, or older than the counter (Linux 4.19).
double bytes_sent(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  if (size < offsetof(tcp_info, tcpi_bytes_sent) + sizeof(info.tcpi_bytes_sent)) return 0;
  return static_cast<double>(info.tcpi_bytes_sent);
}

}  // namespace

double kernel_bytes_sent() {
  double sum = 0;
  std::error_code ignored;  // without /proc nothing is counted
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    if (const auto descriptor = to_integer(entry.path().filename().string())) {
      sum += bytes_sent(static_cast<int>(*descriptor));
    }
  }
  return sum;
}

}  // namespace sextant::engine
