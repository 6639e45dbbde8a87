// One connection of a server: waits for a request, reads it within its limits, has it answered by another
// thread, writes the answer, and waits for the next. All its own work is done on the thread of the server's
// context, so it needs no locks. Boost.Beast parses; who is slow, too large or malformed is told so and cut
// off.
#pragma once

#include <utility>  // Beast 1.74 forgets it
// Reading Beast takes seconds: these two files are its only users.
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "desk.h"
#include "sextant/http/server.h"

namespace sextant::http {

class Connection;

// What all connections of a server share.
struct Shared {
  const Desk& desk;
  const Limits& limits;
  Metrics& metrics;
  boost::asio::io_context& context;
  boost::asio::thread_pool& threads;
  std::set<std::shared_ptr<Connection>> open = {};
  bool stopping = false;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, Shared& shared);

  void serve();
  void refuse_busy();  // 503, and no more
  void retire();       // after the request in hand, at once if there is none

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Code = boost::system::error_code;
  enum class Phase { idle, reading, answering, writing, leaving };

  void arm(Seconds patience);
  void wait_for_request();
  void read_head();
  void on_head(const Code& error);
  void read_body();
  void on_read_error(const Code& error);
  void answer();
  void respond(Response response, bool keep);
  void on_written(const Code& error, bool keep);
  void linger();
  void drain();
  void close();
  void count(int status);

  boost::asio::ip::tcp::socket socket_;
  Shared& shared_;
  boost::asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  Desk::Accepted accepted_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  std::chrono::steady_clock::time_point begun_;
  Phase phase_ = Phase::idle;
  std::size_t drained_ = 0;
  bool late_ = false;
};

}  // namespace sextant::http
