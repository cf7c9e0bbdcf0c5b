// SPDX-License-Identifier: MIT
#include "serve/http/connection.hpp"

namespace semblance::serving {

bool ClientShares::take(const std::string& client, std::size_t amount) {
  const std::lock_guard lock(mutex_);
  const auto known = by_client_.find(client);
  const std::size_t own = known == by_client_.end() ? 0 : known->second;
  if (taken_ + amount > most_ || own + amount > three_quarters(most_)) return false;
  by_client_[client] = own + amount;
  taken_ += amount;
  return true;
}

void ClientShares::give_back(const std::string& client, std::size_t amount) {
  if (amount == 0) return;
  const std::lock_guard lock(mutex_);
  taken_ -= amount;
  const auto own = by_client_.find(client);
  if ((own->second -= amount) == 0) by_client_.erase(own);
  // Under the lock: whoever waits may destroy this object.
  if (taken_ == 0) all_is_back_.notify_all();
}

bool ClientShares::scarce(const std::string& client) const {
  const std::lock_guard lock(mutex_);
  const auto own = by_client_.find(client);
  return taken_ > three_quarters(most_) ||
         (own != by_client_.end() && own->second > three_quarters(three_quarters(most_)));
}

void ClientShares::wait_until_all_is_back() {
  std::unique_lock lock(mutex_);
  all_is_back_.wait(lock, [&] { return taken_ == 0; });
}

}  // namespace semblance::serving
