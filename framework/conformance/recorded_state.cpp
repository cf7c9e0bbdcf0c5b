// SPDX-License-Identifier: MIT
#include "conformance/recorded_state.hpp"

#include <cstring>

namespace semblance::conformance {
namespace {

struct SameBits {
  template <class T, class U>
  bool operator()(const T&, const U&) const {
    return false;
  }
  bool operator()(std::int64_t a, std::int64_t b) const { return a == b; }
  bool operator()(double a, double b) const { return std::memcmp(&a, &b, sizeof a) == 0; }
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  bool operator()(const FloatMatrix& a, const FloatMatrix& b) const {
    return a.rows == b.rows && a.cols == b.cols && (*this)(a.values, b.values);
  }
  template <class T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  }
};

}  // namespace

std::string RecordedState::difference(const RecordedState& other) const {
  for (const auto& [name, entry] : entries_) {
    const auto found = other.entries_.find(name);
    if (found == other.entries_.end() || !std::visit(SameBits{}, entry, found->second)) return name;
  }
  for (const auto& [name, entry] : other.entries_)
    if (!entries_.contains(name)) return name;
  return "";
}

}  // namespace semblance::conformance
