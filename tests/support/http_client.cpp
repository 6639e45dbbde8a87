#include "http_client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "sextant/core/text.h"

namespace sextant::test {

HttpClient::HttpClient(std::uint16_t port, double patience_s) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const timeval patience{static_cast<time_t>(patience_s), 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket_);
    socket_ = -1;
  }
}

HttpClient::~HttpClient() {
  if (socket_ >= 0) ::close(socket_);
}

bool HttpClient::send(const std::string& bytes) {
  std::size_t sent = 0;
  while (socket_ >= 0 && sent < bytes.size()) {
    const auto now = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return socket_ >= 0;
}

bool HttpClient::fill() {
  std::array<char, 65536> bytes{};
  ssize_t got = 0;
  do {  // a socket with patience is interrupted where others go on by themselves
    got = socket_ < 0 ? 0 : ::recv(socket_, bytes.data(), bytes.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  buffer_.append(bytes.data(), static_cast<std::size_t>(got));
  return true;
}

HttpAnswer HttpClient::receive() {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return {};
  }
  HttpAnswer answer;
  const std::vector<std::string> lines = split(buffer_.substr(0, end), '\n');
  answer.status = std::atoi(lines.at(0).substr(9, 3).c_str());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t colon = lines[i].find(':');
    if (colon == std::string::npos) continue;
    answer.headers[to_lower(lines[i].substr(0, colon))] = std::string(trim(lines[i].substr(colon + 1)));
  }
  buffer_.erase(0, end + 4);
  if (answer.status == 100) return receive();
  const auto length = static_cast<std::size_t>(std::atoll(answer.headers["content-length"].c_str()));
  while (buffer_.size() < length) {
    if (!fill()) return {};
  }
  answer.body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return answer;
}

HttpAnswer HttpClient::call(const HttpCall& call) {
  std::string head = call.verb + " " + call.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  if (!call.token.empty()) head += "Authorization: Bearer " + call.token + "\r\n";
  if (!call.body.empty()) {
    head += "Content-Type: " + call.type + "\r\nContent-Length: " + std::to_string(call.body.size()) + "\r\n";
  }
  return send(head + "\r\n" + call.body) ? receive() : HttpAnswer{};
}

HttpAnswer http_call(std::uint16_t port, const HttpCall& call) {
  HttpClient client(port);
  return client.connected() ? client.call(call) : HttpAnswer{};
}

}  // namespace sextant::test
