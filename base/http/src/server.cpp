#include "sextant/http/server.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>

#include "connection.h"

namespace sextant::http {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

constexpr std::size_t kSpare =
    64;  // connections that are told that there are too many; others are just closed
constexpr auto kPause = std::chrono::milliseconds(50);  // when the system has no more files to give

DeskOptions desk_options(const ServerOptions& options) {
  if (!options.listen.loopback()) {
    if (options.token.empty()) {
      throw InputError(at_field("token"), "a token is needed to listen at " + options.listen.str(),
                       "only loopback addresses do without");
    }
    return {.token = options.token};
  }
  const std::string& host = options.listen.host;
  return {.token = options.token,
          .hosts = {"localhost", "127.0.0.1", "[::1]",
                    host.find(':') == std::string::npos ? host : "[" + host + "]"}};
}

void declare_metrics(Metrics& metrics) {
  using Kind = MetricInfo::Kind;
  metrics.declare(
      {"sextant_http_requests_total", "Requests by route, verb and status of the answer.", Kind::counter});
  metrics.declare({"sextant_http_connections", "Connections that are open.", Kind::gauge});
  metrics.declare({"sextant_http_request_seconds",
                   "Time from the first byte of a request to its answer.",
                   Kind::histogram,
                   {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10}});
  metrics.set("sextant_http_connections", 0);
}

Tcp::acceptor listen_at(asio::io_context& context, const Address& address) {
  const Tcp::endpoint place(asio::ip::make_address(address.host), address.port);
  boost::system::error_code error;
  Tcp::acceptor acceptor(context);
  acceptor.open(place.protocol(), error);
  if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(place, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw SystemError("cannot listen at " + address.str() + ": " + error.message());
  return acceptor;
}

}  // namespace

class Server::Impl {
 public:
  Impl(std::vector<Route> routes, const ServerOptions& options, Metrics& metrics)
      : options_(options),
        desk_(std::move(routes), desk_options(options)),
        threads_(options.limits.threads),
        acceptor_(listen_at(context_, options.listen)),
        pause_(context_),
        shared_{desk_, options_.limits, metrics, context_, threads_} {
    declare_metrics(metrics);
    options_.listen.port = acceptor_.local_endpoint().port();
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }

  ~Impl() {
    stop();
    context_.stop();
    if (thread_.joinable()) thread_.join();
    threads_.join();
    shared_.open.clear();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] Address address() const { return options_.listen; }

  void stop() {
    std::promise<void> told;
    asio::post(context_, [this, &told] {
      shared_.stopping = true;
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      pause_.cancel();
      const auto open = shared_.open;  // retiring takes some out
      for (const auto& connection : open) connection->retire();
      told.set_value();
    });
    told.get_future().wait();
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration<double>(options_.limits.farewell.value);
    while (!quiet() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

 private:
  bool quiet() {
    std::promise<bool> answer;
    asio::post(context_, [this, &answer] { answer.set_value(shared_.open.empty()); });
    return answer.get_future().get();
  }

  void accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, Tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (error) return accept_later();
      take(std::move(socket));
      accept();
    });
  }

  void accept_later() {
    pause_.expires_after(kPause);
    pause_.async_wait([this](const boost::system::error_code& error) {
      if (!error && acceptor_.is_open()) accept();
    });
  }

  void take(Tcp::socket socket) {
    const std::size_t open = shared_.open.size();
    if (open >= options_.limits.connections + kSpare) return;  // closed by its destructor
    const auto connection = std::make_shared<Connection>(std::move(socket), shared_);
    shared_.open.insert(connection);
    shared_.metrics.set("sextant_http_connections", static_cast<double>(open + 1));
    if (open >= options_.limits.connections) {
      connection->refuse_busy();
    } else {
      connection->serve();
    }
  }

  ServerOptions options_;
  Desk desk_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> at_work_{context_.get_executor()};
  asio::thread_pool threads_;
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  Shared shared_;
  std::thread thread_;
};

Server::Server(std::vector<Route> routes, const ServerOptions& options, Metrics& metrics)
    : impl_(std::make_unique<Impl>(std::move(routes), options, metrics)) {}
Server::~Server() = default;

Address Server::address() const {
  return impl_->address();
}

void Server::stop() {
  impl_->stop();
}

}  // namespace sextant::http
