// Preloaded into mpirun and its ranks where all of them are on this machine: what would listen on every
// interface listens on the loopback. Open MPI 4.1 has options for the addresses that it tells others
// (oob_tcp_if_include, btl_tcp_if_include), and none for those that it listens on.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

namespace {

int bind_to(int socket, const void* address, socklen_t length) {
  return static_cast<int>(::syscall(SYS_bind, socket, address, length));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int bind(int socket, const sockaddr* address,
                                                           socklen_t length) noexcept {
  if (address != nullptr && length >= sizeof(sockaddr_in) && address->sa_family == AF_INET) {
    sockaddr_in local{};
    std::memcpy(&local, address, sizeof local);
    if (local.sin_addr.s_addr == htonl(INADDR_ANY)) {
      local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      return bind_to(socket, &local, sizeof local);
    }
  }
  if (address != nullptr && length >= sizeof(sockaddr_in6) && address->sa_family == AF_INET6) {
    sockaddr_in6 local{};
    std::memcpy(&local, address, sizeof local);
    if (IN6_IS_ADDR_UNSPECIFIED(&local.sin6_addr)) {
      local.sin6_addr = in6addr_loopback;
      return bind_to(socket, &local, sizeof local);
    }
  }
  return bind_to(socket, address, length);
}
