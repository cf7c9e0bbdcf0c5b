// SPDX-License-Identifier: MIT
#include "serve/http/connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <cerrno>
#include <charconv>
#include <limits>
#include <system_error>

namespace semblance::serving {

namespace {

namespace beast = boost::beast;

namespace http = boost::beast::http;

constexpr std::size_t most_buffered = std::size_t{1} << 16;

constexpr std::chrono::milliseconds moment{50};

constexpr std::chrono::milliseconds parting{500};

int milliseconds_until(HttpClock::time_point end) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - HttpClock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 60'000));
}

constexpr std::size_t piece = 16384;

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// Text of a URL with %41 as 'A' and, in a query, '+' as a blank.
std::string unescape(std::string_view escaped, bool in_query) {
  std::string text;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    unsigned char code = 0;
    const char* const digits = escaped.data() + at + 1;
    if (escaped[at] == '%' && at + 2 < escaped.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      text += static_cast<char>(code);
      at += 2;
    } else {
      text += in_query && escaped[at] == '+' ? ' ' : escaped[at];
    }
  }
  return text;
}

HttpFields parameters_of(std::string_view query) {
  HttpFields parameters;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (!one.empty())
      parameters.emplace_back(unescape(one.substr(0, equals), true),
                              unescape(one.substr(std::min(one.size(), equals + 1)), true));
  }
  return parameters;
}

/// One client's share of the threads, or of the places to wait; the remaining ones are for other
/// clients.
std::size_t share_of_one(std::size_t all) { return all - all / 4; }

}  // namespace

Connection::Connection(int socket) : socket_(socket) {
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// Closing a socket with unread bytes resets the connection, and sent data may be lost.
Connection::~Connection() {
  if (!failed_ && ::shutdown(socket_, SHUT_WR) == 0) {
    const auto end = HttpClock::now() + parting;
    pollfd wanted = {socket_, POLLIN, 0};
    char unread[4096];
    while (::poll(&wanted, 1, milliseconds_until(end)) > 0 &&
           ::recv(socket_, unread, sizeof unread, MSG_DONTWAIT) > 0 && HttpClock::now() < end) {
    }
  }
  ::close(socket_);
}

bool Connection::wait_for_request(HttpClock::time_point end, const std::function<bool()>& over) {
  pollfd wanted = {socket_, POLLIN, 0};
  for (;;) {
    const int found = ::poll(&wanted, 1, std::min<int>(moment.count(), milliseconds_until(end)));
    if (found > 0) break;
    if ((found < 0 && errno != EINTR) || HttpClock::now() >= end || over()) return false;
  }
  char first = 0;
  return ::recv(socket_, &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

void Connection::begin_request(HttpClock::time_point end, std::size_t allowance) {
  end_ = end;
  allowance_ = allowance;
  read_ = 0;
}

/// False once the time is over.
bool Connection::wait(short events) {
  pollfd wanted = {socket_, events, 0};
  for (;;) {
    const int left = milliseconds_until(end_);
    const int found = left > 0 ? ::poll(&wanted, 1, left) : 0;
    if (found > 0) return true;
    if (found < 0 && errno == EINTR) continue;
    late_ = late_ || found == 0;
    return false;
  }
}

long Connection::read(char* bytes, std::size_t most) {
  if (!flush()) return -1;
  if (allowance_ == 0) {
    too_long_ = true;
    return -1;
  }
  // A client that sends fast has no more time than a slow one.
  while (HttpClock::now() < end_) {
    const ssize_t count = ::recv(socket_, bytes, std::min(most, allowance_), MSG_DONTWAIT);
    if (count >= 0) {
      read_ += static_cast<std::size_t>(count);
      allowance_ -= static_cast<std::size_t>(count);
      return count;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      failed_ = true;
      return -1;
    }
    if (!wait(POLLIN)) return -1;
  }
  late_ = true;
  return -1;
}

bool Connection::write(const char* bytes, std::size_t count) {
  output_.append(bytes, count);
  return output_.size() < most_buffered || flush();
}

bool Connection::flush() {
  std::size_t sent = 0;
  while (sent < output_.size() && !failed_) {
    const ssize_t count =
        ::send(socket_, output_.data() + sent, output_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0)
      sent += static_cast<std::size_t>(count);
    else if (errno == EINTR)
      continue;
    else if ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait(POLLOUT))
      failed_ = true;
  }
  output_.clear();
  return !failed_;
}

bool RequestReader::read_more() {
  std::array<char, piece> bytes;
  const long count = connection_.read(bytes.data(), bytes.size());
  if (count > 0) unread_.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// Parses the available bytes, and waits for more if they do not suffice.
bool RequestReader::parse() {
  if (unread_.empty() && !read_more()) return false;
  boost::system::error_code problem;
  const std::size_t parsed =
      parser_->put(boost::asio::buffer(unread_.data(), unread_.size()), problem);
  unread_.erase(0, parsed);
  if (problem == http::error::need_more) return read_more();
  if (problem && problem != http::error::need_buffer) problem_ = problem.message();
  return problem_.empty();
}

bool RequestReader::read_head() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(most_head));
  // The consumer of the body counts its bytes. (Boost 1.74 takes "no limit" for 0.)
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
  problem_.clear();
  while (!parser_->is_header_done())
    if (!parse()) return false;
  return true;
}

HttpRequest RequestReader::request() const {
  const auto& head = parser_->get();
  const std::string target = text_of(head.target());
  const std::size_t end = std::min(target.find('?'), target.size());
  HttpRequest request;
  request.method = text_of(head.method_string());
  request.path = unescape(std::string_view(target).substr(0, end), false);
  if (end < target.size())
    request.parameters = parameters_of(std::string_view(target).substr(end + 1));
  for (const auto& field : head)
    request.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  request.end = connection_.end();
  return request;
}

bool RequestReader::has_body() const {
  return parser_->chunked() || parser_->content_length().value_or(0) > 0 ||
         parser_->get().count(http::field::transfer_encoding) > 0;
}

bool RequestReader::expects_continue() const {
  return beast::iequals(parser_->get()[http::field::expect], "100-continue");
}

bool RequestReader::read_body(
    const std::function<bool(const char* bytes, std::size_t count)>& take) {
  parser_->eager(true);
  std::array<char, piece> bytes;
  auto& body = parser_->get().body();
  while (!parser_->is_done()) {
    // The lines between two chunks may precede the next piece.
    connection_.renew_allowance(most_head - std::min(most_head, unread_.size()));
    body.data = bytes.data();
    body.size = bytes.size();
    const bool sound = parse();
    const std::size_t count = bytes.size() - body.size;
    if (count > 0 && !take(bytes.data(), count)) return false;
    if (!sound) return false;
  }
  return true;
}

ConnectionThreads::ConnectionThreads(std::size_t most, std::size_t most_waiting, Serve serve)
    : most_(most), most_waiting_(most_waiting), serve_(std::move(serve)) {
  threads_.reserve(most_);
}

ConnectionThreads::~ConnectionThreads() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  arrived_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool ConnectionThreads::add(int socket, const std::string& client) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= threads_.size() - busy_ && threads_.size() < most_) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        // The system allows no more: the existing ones must suffice.
        if (threads_.empty()) return false;
        most_ = threads_.size();
      }
    }
    if (!has_room_for(client)) return false;
    waiting_.push_back({socket, client});
  }
  arrived_.notify_one();
  return true;
}

bool ConnectionThreads::has_room_for(const std::string& client) const {
  const std::size_t idle = threads_.size() - busy_;
  const auto own = static_cast<std::size_t>(std::ranges::count(waiting_, client, &Waiting::client));
  return waiting_.size() < most_waiting_ + idle &&
         own < share_of_one(most_waiting_) + std::min(idle, threads_left(client));
}

std::size_t ConnectionThreads::threads_left(const std::string& client) const {
  const auto served = served_.find(client);
  const std::size_t most = share_of_one(most_);
  return served == served_.end() ? most : most - std::min(most, served->second);
}

/// The first waiting connection of a client that may have another thread.
std::deque<ConnectionThreads::Waiting>::const_iterator ConnectionThreads::next() const {
  return std::ranges::find_if(waiting_,
                              [&](const Waiting& one) { return threads_left(one.client) > 0; });
}

bool ConnectionThreads::any_waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() > threads_.size() - busy_ ||
         (!waiting_.empty() && next() == waiting_.end());
}

void ConnectionThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [&] { return ending_ || next() != waiting_.end(); });
    const auto chosen = ending_ ? waiting_.begin() : next();
    if (chosen == waiting_.end()) return;
    ++busy_;
    const Waiting one = *chosen;
    waiting_.erase(chosen);
    ++served_[one.client];
    lock.unlock();
    serve_(one.socket, one.client);
    lock.lock();
    --busy_;
    if (--served_[one.client] == 0) served_.erase(one.client);
    // Another thread may be waiting for this client's turn.
    arrived_.notify_one();
  }
}

}  // namespace semblance::serving
