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

/// Whose each of the rows is: this thread's, which now has to compute it, or another one's, which
/// has begun; of rows for which there is no room nobody's.
std::vector<SharedRows::Whose> SharedRows::claim(std::span<const std::uint32_t> rows,
                                                 numerics::Range columns) {
  std::vector<Whose> whose;
  const std::lock_guard lock(mutex_);
  for (const std::uint32_t row : rows) {
    const Place place{row, columns.first, columns.count};
    const std::size_t bytes = columns.count * sizeof(float) + entry_bytes;
    if (parts_.contains(place)) {
      whose.push_back(Whose::others);
    } else if (bytes_ + bytes > most_bytes_) {
      whose.push_back(Whose::nobodys);
    } else {
      bytes_ += bytes;
      parts_[place];
      whose.push_back(Whose::own);
    }
  }
  return whose;
}

void SharedRows::store(std::span<const std::uint32_t> rows, numerics::Range columns,
                       MatrixView values) {
  std::vector<std::vector<float>> copies;
  copies.reserve(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = values.row_span(r);
    copies.emplace_back(row.begin(), row.end());
  }
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Part& part = parts_.at({rows[r], columns.first, columns.count});
      part = {std::move(copies[r]), true};
      if (whole_ > 0) ready_[rows[r]].store(part.values.data(), std::memory_order_release);
    }
  }
  changed_.notify_all();
}

void SharedRows::give_up(std::span<const std::uint32_t> rows, numerics::Range columns) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t row : rows) parts_.erase({row, columns.first, columns.count});
    bytes_ -= rows.size() * (columns.count * sizeof(float) + entry_bytes);
  }
  changed_.notify_all();
}

/// Null where the thread that computed it gave up. Values that are there stay where they are.
const float* SharedRows::wait_for(const Place& place) {
  std::unique_lock lock(mutex_);
  auto found = parts_.end();
  changed_.wait(lock, [&] {
    found = parts_.find(place);
    return found == parts_.end() || found->second.ready;
  });
  return found == parts_.end() ? nullptr : found->second.values.data();
}

void SharedRows::compute(const numerics::KernelSource& source, std::span<const std::uint32_t> rows,
                         std::size_t first_column, MutableMatrixView out) {
  const numerics::Range columns =
      whole_ > 0 ? numerics::Range{0, whole_} : numerics::Range{first_column, out.cols};
  // A thread computes all that it has claimed before it waits for others, so none waits in a
  // circle.
  const std::vector<Whose> whose = claim(rows, columns);
  const auto rows_of = [&](Whose wanted) {
    std::vector<std::uint32_t> found;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (whose[r] == wanted) found.push_back(rows[r]);
    return found;
  };
  const std::vector<std::uint32_t> own = rows_of(Whose::own), alone = rows_of(Whose::nobodys);
  if (!own.empty()) try {
      FloatMatrix values(own.size(), columns.count);
      source.compute(own, columns.first, values.view());
      store(own, columns, std::as_const(values).view());
    } catch (...) {
      give_up(own, columns);
      throw;
    }
  FloatMatrix others(alone.size(), out.cols);
  if (!alone.empty()) source.compute(alone, first_column, others.view());
  std::size_t next = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (whose[r] == Whose::nobodys)
      std::copy_n(others.view().row(next++), out.cols, out.row(r));
    else if (const float* const row = wait_for({rows[r], columns.first, columns.count}))
      std::copy_n(row + (first_column - columns.first), out.cols, out.row(r));
    else
      source.compute(rows.subspan(r, 1), first_column, out.rows_range(r, 1));
  }
}

RetainingSource::RetainingSource(const numerics::KernelSource& source, std::size_t rows,
                                 std::size_t bytes)
    : source_(source), bytes_left_(bytes) {
  if (source.resident(0) != nullptr) return;
  const std::size_t row = rows * sizeof(float) + entry_bytes;
  const std::size_t most = std::min(rows, bytes / 2 / row);
  if (most == 0) return;
  rows_.emplace(most * row, rows);
  sharing_.emplace(source, *rows_);
  bytes_left_ -= most * row;
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
