// SPDX-License-Identifier: MIT
#include "runtime/sources/shared_data.hpp"

namespace semblance {

std::shared_ptr<const Dataset> SharedData::find(const std::string& key,
                                                const States& states) const {
  const std::lock_guard lock(mutex_);
  const auto found = read_.find(key);
  return found != read_.end() && found->second.states == states ? found->second.data : nullptr;
}

void SharedData::add(const std::string& key, const States& states,
                     const std::shared_ptr<const Dataset>& data) {
  const std::lock_guard lock(mutex_);
  if (const auto known = read_.find(key); known != read_.end()) {
    bytes_ -= known->second.data->bytes();
    read_.erase(known);
  }
  if (bytes_ + data->bytes() > most_) return;
  bytes_ += data->bytes();
  read_[key] = {states, data};
}

std::size_t SharedData::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace semblance
