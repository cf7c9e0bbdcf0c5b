// SPDX-License-Identifier: MIT
#include "matrix/shared_kernel.hpp"

#include <algorithm>
#include <utility>

namespace semblance::kernel {
namespace {

/// What an entry takes besides its values.
constexpr std::size_t entry_bytes = 100;

}  // namespace

std::size_t SharedRows::Hash::operator()(const Place& place) const noexcept {
  return (place.row * std::size_t{0x9E3779B97F4A7C15} + place.first) *
             std::size_t{0xC2B2AE3D27D4EB4F} +
         place.count;
}

/// Which of the rows this thread has to compute: those that no thread has begun.
std::vector<std::size_t> SharedRows::claim(std::span<const std::uint32_t> rows, std::size_t first,
                                           std::size_t count) {
  std::vector<std::size_t> own;
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Place place{rows[r], first, count};
    if (parts_.contains(place)) continue;
    own.push_back(r);
    const std::size_t bytes = count * sizeof(float) + entry_bytes;
    if (bytes_ + bytes > most_bytes_) continue;
    bytes_ += bytes;
    parts_[place];
  }
  return own;
}

void SharedRows::store(std::span<const std::uint32_t> rows, std::size_t first, MatrixView values) {
  std::vector<std::vector<float>> copies;
  copies.reserve(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = values.row_span(r);
    copies.emplace_back(row.begin(), row.end());
  }
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto found = parts_.find({rows[r], first, values.cols});
      if (found == parts_.end() || found->second.ready) continue;
      found->second = {std::move(copies[r]), true};
    }
  }
  changed_.notify_all();
}

void SharedRows::give_up(std::span<const std::uint32_t> rows, std::size_t first,
                         std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t row : rows) {
      const auto found = parts_.find({row, first, count});
      if (found == parts_.end() || found->second.ready) continue;
      parts_.erase(found);
      bytes_ -= count * sizeof(float) + entry_bytes;
    }
  }
  changed_.notify_all();
}

/// False where the thread that computed it gave up.
bool SharedRows::wait_for(const Place& place, std::span<float> out) {
  const float* values = nullptr;
  {
    std::unique_lock lock(mutex_);
    auto found = parts_.end();
    changed_.wait(lock, [&] {
      found = parts_.find(place);
      return found == parts_.end() || found->second.ready;
    });
    if (found == parts_.end()) return false;
    values = found->second.values.data();
  }
  // Values that are there stay where they are.
  std::copy_n(values, out.size(), out.data());
  return true;
}

void SharedRows::compute(const numerics::KernelSource& source, std::span<const std::uint32_t> rows,
                         std::size_t first_column, MutableMatrixView out) {
  // A thread computes all that it has claimed before it waits for others, so none waits in a
  // circle.
  const std::vector<std::size_t> own = claim(rows, first_column, out.cols);
  std::vector<std::uint32_t> claimed;
  claimed.reserve(own.size());
  for (const std::size_t r : own) claimed.push_back(rows[r]);
  if (!claimed.empty()) try {
      FloatMatrix some(claimed.size() == rows.size() ? 0 : claimed.size(), out.cols);
      const MutableMatrixView into = claimed.size() == rows.size() ? out : some.view();
      source.compute(claimed, first_column, into);
      store(claimed, first_column, into);
      for (std::size_t i = 0; i < some.rows; ++i)
        std::ranges::copy(some.view().row_span(i), out.row(own[i]));
    } catch (...) {
      give_up(claimed, first_column, out.cols);
      throw;
    }
  auto next = own.begin();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (next != own.end() && *next == r) {
      ++next;
      continue;
    }
    const std::span<float> row(out.row(r), out.cols);
    if (!wait_for({rows[r], first_column, out.cols}, row))
      source.compute(rows.subspan(r, 1), first_column, out.rows_range(r, 1));
  }
}

std::size_t SharedRows::stored_values() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [place, part] : parts_) count += part.values.size();
  return count;
}

std::shared_ptr<SharedKernel> SharedKernel::make(std::size_t n, std::size_t bytes, bool whole,
                                                 numerics::SpectrumRepair repair) {
  const std::size_t matrix = n * n * sizeof(float);
  // The rows of many classes come in many parts.
  if (!whole)
    return std::make_shared<SharedKernel>(std::min(bytes, matrix / 8 * 9 + n * entry_bytes));
  const std::size_t needed = repair == numerics::SpectrumRepair::refuse ? matrix : 3 * matrix;
  return needed <= bytes ? std::make_shared<SharedKernel>(needed) : nullptr;
}

bool SharedKernel::fits(const SortedSamples& samples) {
  const std::lock_guard lock(mutex_);
  if (order_.empty()) {
    order_ = samples.order;
    centre_ = samples.centre;
  }
  return order_ == samples.order && centre_ == samples.centre;
}

SharedKernel::Whole SharedKernel::whole(const std::function<Whole()>& make) {
  const std::lock_guard lock(mutex_);
  if (whole_) return *whole_;
  Whole made = make();
  if (made.repair.done) whole_ = std::make_shared<const Whole>(made);
  return made;
}

}  // namespace semblance::kernel
