// SPDX-License-Identifier: MIT
#include "serve/http/connection_threads.hpp"

#include <system_error>

namespace semblance::serving {

ConnectionThreads::ConnectionThreads(std::size_t most, std::size_t most_waiting,
                                     std::function<void(int)> serve)
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

bool ConnectionThreads::add(int socket) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= threads_.size() - busy_ && threads_.size() < most_) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        // The system allows no more: those that there are have to do.
        if (threads_.empty()) return false;
        most_ = threads_.size();
      }
    }
    if (waiting_.size() >= most_waiting_ + threads_.size() - busy_) return false;
    waiting_.push_back(socket);
  }
  arrived_.notify_one();
  return true;
}

bool ConnectionThreads::any_waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() > threads_.size() - busy_;
}

void ConnectionThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    ++busy_;
    const int socket = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    serve_(socket);
    lock.lock();
    --busy_;
  }
}

}  // namespace semblance::serving
