// SPDX-License-Identifier: MIT
#include "semblance/handed_over.hpp"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "semblance/graph.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/two_parts.hpp"

namespace semblance {
namespace {

/// Defined in this library, which a program shares with all plugins, and never destroyed: a
/// library's static objects may be destroyed before the last data are taken back.
struct Handed {
  std::mutex mutex;
  std::multimap<std::string, std::shared_ptr<const Dataset>, std::less<>> data;
};

Handed& all_handed() {
  static auto* const all = new Handed;
  // A fork may happen while another thread holds the lock, and the child does not have that thread.
  static const int watching = ::pthread_atfork(
      [] { all->mutex.lock(); }, [] { all->mutex.unlock(); }, [] { all->mutex.unlock(); });
  static_cast<void>(watching);
  return *all;
}

[[noreturn]] void refuse_row(std::size_t row, const std::string& what) {
  throw Error("row " + std::to_string(row) + " (from 0) has " + what);
}

}  // namespace

HandedOver::HandedOver(std::string id, std::shared_ptr<const Dataset> data)
    : id_(std::move(id)), data_(std::move(data)) {
  if (!data_) throw Error("there are no data to hand over as '" + id_ + "'");
  const std::lock_guard lock(all_handed().mutex);
  all_handed().data.emplace(id_, data_);
}

HandedOver::HandedOver(HandedOver&& other) noexcept
    : id_(std::move(other.id_)), data_(std::exchange(other.data_, nullptr)) {}

HandedOver& HandedOver::operator=(HandedOver&& other) noexcept {
  if (this == &other) return *this;
  take_back();
  id_ = std::move(other.id_);
  data_ = std::exchange(other.data_, nullptr);
  return *this;
}

HandedOver::~HandedOver() { take_back(); }

void HandedOver::take_back() noexcept {
  if (!data_) return;
  {
    const std::lock_guard lock(all_handed().mutex);
    auto [at, end] = all_handed().data.equal_range(id_);
    while (at != end && at->second != data_) ++at;
    if (at != end) all_handed().data.erase(at);
  }
  data_.reset();  // not under the lock: destroying the data may run foreign code
}

void check_values(MatrixView rows, const Layout& layout, std::size_t first, SymbolsOf which) {
  constexpr std::uint32_t exponent = 0x7f800000;  // all bits set: infinite or NaN
  const std::size_t symbols = layout.kind == LayoutKind::string ? symbols_of(layout).size() : 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::span<const float> row = rows.row_span(i);
    bool finite = true;
    for (const float value : row)
      finite &= (std::bit_cast<std::uint32_t>(value) & exponent) != exponent;
    if (!finite) {
      const auto bad = std::ranges::find_if(row, [](float v) { return !std::isfinite(v); });
      refuse_row(first + i,
                 std::string(std::isnan(*bad) ? "a missing value (NaN)" : "an infinite value") +
                     " at position " + std::to_string(bad - row.begin()) +
                     "; remove the row, or replace the value");
    }
    if (layout.kind == LayoutKind::graph || layout.kind == LayoutKind::pair) {
      try {
        if (layout.kind == LayoutKind::graph)
          GraphView(row, layout.shape);
        else
          PairView(row, layout);
      } catch (const Error& error) {
        throw Error("row " + std::to_string(first + i) + " (from 0): " + error.what());
      }
    }
    if (symbols == 0) continue;
    for (const float value : row)
      if ((value < 0 || value >= static_cast<float>(symbols) || value != std::floor(value)) &&
          !(which == SymbolsOf::any && is_new_symbol(value)))
        refuse_row(first + i, "a value that is no symbol of its alphabet");
  }
}

std::shared_ptr<const Dataset> handed_over(std::string_view id) {
  const std::lock_guard lock(all_handed().mutex);
  const auto found = all_handed().data.find(id);
  return found == all_handed().data.end() ? nullptr : found->second;
}

}  // namespace semblance
