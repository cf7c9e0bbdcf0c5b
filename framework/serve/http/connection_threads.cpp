// SPDX-License-Identifier: MIT
#include "serve/http/connection_threads.hpp"

#include <algorithm>
#include <system_error>

namespace semblance::serving {
namespace {

/// One client's share of the threads, or of the places to wait; the remaining ones are for other
/// clients.
std::size_t share_of_one(std::size_t all) { return all - all / 4; }

}  // namespace

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
