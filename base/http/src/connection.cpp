#include "connection.h"

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <string_view>

namespace sextant::http {
namespace {

namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

constexpr Seconds kLinger{2};                    // for a client to read why it was refused
constexpr std::size_t kMostDrained = 4U << 20U;  // bytes of a refused body that are read and dropped
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string header_text(const beast_http::fields& fields, beast_http::field name) {
  const auto value = fields[name];
  return {value.data(), value.size()};
}

// Which status a fault of the parser is, and what is said.
Refusal refusal_of(const boost::system::error_code& error, const Limits& limits) {
  if (error == beast_http::error::body_limit)
    return {413, "the body is above " + std::to_string(limits.body) + " bytes"};
  if (error == beast_http::error::header_limit || error == beast_http::error::buffer_overflow)
    return {431, "the head of the request is above " + std::to_string(limits.header) + " bytes"};
  if (error == beast_http::error::bad_version) return {505, "this is not HTTP/1.1"};
  return {400, "the request is malformed: " + error.message()};
}

std::chrono::steady_clock::duration duration_of(Seconds seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds.value));
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, Shared& shared)
    : socket_(std::move(socket)), shared_(shared), timer_(shared.context) {
  Code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void Connection::serve() {
  wait_for_request();
}

void Connection::refuse_busy() {
  phase_ = Phase::reading;
  respond(refusal_response(Refusal(503, "too many connections", "", "try again later")), false);
}

void Connection::retire() {
  if (phase_ == Phase::idle || phase_ == Phase::leaving) close();
}

// One timer for whatever is waited for: when it runs out, what is pending ends with an error.
void Connection::arm(Seconds patience) {
  late_ = false;
  timer_.expires_after(duration_of(patience));
  timer_.async_wait([self = shared_from_this()](const Code& error) {
    if (error) return;  // armed anew, or closed
    self->late_ = true;
    Code ignored;
    self->socket_.cancel(ignored);
  });
}

void Connection::wait_for_request() {
  if (shared_.stopping) return close();
  if (buffer_.size() > 0) return read_head();  // the client did not wait for the answer
  phase_ = Phase::idle;
  arm(shared_.limits.idle);
  socket_.async_wait(asio::ip::tcp::socket::wait_read, [self = shared_from_this()](const Code& error) {
    if (error) return self->close();
    self->read_head();
  });
}

void Connection::read_head() {
  phase_ = Phase::reading;
  begun_ = std::chrono::steady_clock::now();
  accepted_ = {};
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(shared_.limits.header));
  parser_->body_limit(shared_.limits.body);
  arm(shared_.limits.request);
  beast_http::async_read_header(
      socket_, buffer_, *parser_,
      [self = shared_from_this()](const Code& error, std::size_t) { self->on_head(error); });
}

// Refused before the body is read, where the head alone says enough.
void Connection::on_head(const Code& error) {
  if (error) return on_read_error(error);
  const auto& message = parser_->get();
  const auto target = message.target();
  accepted_ = shared_.desk.accept({.verb = std::string(message.method_string()),
                                   .target = {target.data(), target.size()},
                                   .host = header_text(message, beast_http::field::host),
                                   .authorization = header_text(message, beast_http::field::authorization),
                                   .content_type = header_text(message, beast_http::field::content_type)});
  if (accepted_.refusal) {
    const bool nothing_follows = !parser_->chunked() && parser_->content_length().value_or(0) == 0;
    return respond(*std::move(accepted_.refusal), nothing_follows && message.keep_alive());
  }
  if (parser_->content_length().value_or(0) > shared_.limits.body)
    return on_read_error(beast_http::error::body_limit);
  if (header_text(message, beast_http::field::expect) != "100-continue") return read_body();
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](const Code& failed, std::size_t) {
                      if (failed) return self->close();
                      self->read_body();
                    });
}

void Connection::read_body() {
  beast_http::async_read(socket_, buffer_, *parser_,
                         [self = shared_from_this()](const Code& error, std::size_t) {
                           if (error) return self->on_read_error(error);
                           self->answer();
                         });
}

void Connection::on_read_error(const Code& error) {
  if (late_) return respond(refusal_response(Refusal(408, "the request took too long to arrive")), false);
  const bool left = error == beast_http::error::end_of_stream || error == beast_http::error::partial_message;
  const bool malformed = error.category() == make_error_code(beast_http::error::end_of_stream).category();
  if (left || !malformed) return close();
  respond(refusal_response(refusal_of(error, shared_.limits)), false);
}

// Handlers may wait, for a disk or for each other: they have threads of their own.
void Connection::answer() {
  phase_ = Phase::answering;
  timer_.cancel();
  const bool keep = parser_->get().keep_alive();
  asio::post(shared_.threads, [self = shared_from_this(), keep] {
    Response response = Desk::answer(self->accepted_, self->parser_->get().body());
    asio::post(self->shared_.context, [self, keep, response = std::move(response)]() mutable {
      self->respond(std::move(response), keep);
    });
  });
}

void Connection::respond(Response response, bool keep) {
  phase_ = Phase::writing;
  keep = keep && !shared_.stopping;
  count(response.status);
  response_ = {};
  response_.result(static_cast<unsigned>(response.status));
  response_.version(11);
  response_.set(beast_http::field::server, "sextant");
  response_.set(beast_http::field::content_type, response.type);
  response_.set(beast_http::field::cache_control, "no-store");
  response_.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) response_.set(name, value);
  response_.keep_alive(keep);
  response_.body() = std::move(response.body);
  response_.prepare_payload();
  arm(shared_.limits.response);
  beast_http::async_write(
      socket_, response_,
      [self = shared_from_this(), keep](const Code& error, std::size_t) { self->on_written(error, keep); });
}

void Connection::on_written(const Code& error, bool keep) {
  if (error) return close();
  if (keep) return wait_for_request();
  linger();
}

// Closing with bytes unread would reset the connection, and the client might never see the answer.
void Connection::linger() {
  phase_ = Phase::leaving;
  Code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  arm(kLinger);
  drain();
}

void Connection::drain() {
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(16384),
                          [self = shared_from_this()](const Code& error, std::size_t bytes) {
                            self->drained_ += bytes;
                            if (error || self->drained_ > kMostDrained || self->shared_.stopping)
                              return self->close();
                            self->drain();
                          });
}

void Connection::close() {
  timer_.cancel();
  Code ignored;
  socket_.close(ignored);
  if (shared_.open.erase(shared_from_this()) == 0) return;
  shared_.metrics.set("sextant_http_connections", static_cast<double>(shared_.open.size()));
}

void Connection::count(int status) {
  const Route* route = accepted_.route;
  const std::string path = route == nullptr ? "none" : route->path;
  const std::string verb = route == nullptr ? "none" : verb_text(route->verb);
  shared_.metrics.add("sextant_http_requests_total",
                      {{"route", path}, {"verb", verb}, {"status", std::to_string(status)}});
  if (phase_ == Phase::idle || route == nullptr) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
  shared_.metrics.observe("sextant_http_request_seconds", spent.count(), {{"route", path}, {"verb", verb}});
}

}  // namespace sextant::http
