// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "matrix/kernel_matrix.hpp"
#include "semblance/shared_work.hpp"
#include "semblance_numerics/kernel_source.hpp"

namespace semblance::kernel {

/// Kernel rows that several trainings of the same samples share. Each is computed once, by the
/// training that asks first; those that ask meanwhile wait for it. A value depends only on its two
/// samples, so its bits are the same whoever computes it. Thread-safe.
class SharedRows {
 public:
  /// Of a row, as much is computed as was asked for, or, with a number of columns, all of it.
  explicit SharedRows(std::size_t most_bytes, std::size_t whole = 0)
      : most_bytes_(most_bytes), whole_(whole), ready_(whole) {}

  /// KernelSource::compute(), by `source` where the values are not there yet. Once there is no
  /// room, further rows are computed each time.
  void compute(const numerics::KernelSource& source, std::span<const std::uint32_t> rows,
               std::size_t first_column, MutableMatrixView out);

  /// A whole row that is there, or null.
  const float* resident(std::size_t row) const noexcept {
    return whole_ > 0 ? ready_[row].load(std::memory_order_acquire) : nullptr;
  }

  /// How many values have been computed and are stored.
  std::size_t stored_values() const;

 private:
  struct Place {
    std::uint32_t row;
    std::size_t first, count;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const noexcept;
  };
  struct Part {
    std::vector<float> values;
    bool ready = false;  ///< otherwise some thread computes them
  };
  enum class Whose { own, others, nobodys };

  std::vector<Whose> claim(std::span<const std::uint32_t> rows, numerics::Range columns);
  void store(std::span<const std::uint32_t> rows, numerics::Range columns, MatrixView values);
  void give_up(std::span<const std::uint32_t> rows, numerics::Range columns);
  const float* wait_for(const Place& place);

  const std::size_t most_bytes_;
  const std::size_t whole_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<Place, Part, Hash> parts_;
  std::vector<std::atomic<const float*>> ready_;  // whole rows; null: not there
  std::size_t bytes_ = 0;
};

/// A kernel source that shares its rows.
class SharingSource final : public numerics::KernelSource {
 public:
  SharingSource(const numerics::KernelSource& source, SharedRows& shared)
      : source_(source), shared_(shared) {}
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override {
    shared_.compute(source_, rows, first_column, out);
  }
  const float* resident(std::size_t row) const noexcept override { return shared_.resident(row); }

 private:
  const numerics::KernelSource& source_;
  SharedRows& shared_;
};

/// A source for several problems or costs of a training. It retains as many rows as fit into half
/// of the memory, unless the source has them in memory.
class RetainingSource {
 public:
  RetainingSource(const numerics::KernelSource& source, std::size_t rows, std::size_t bytes);

  const numerics::KernelSource& source() const noexcept { return sharing_ ? *sharing_ : source_; }
  /// Of the bytes for it and the trainings, those for the trainings.
  std::size_t bytes_left() const noexcept { return bytes_left_; }

 private:
  const numerics::KernelSource& source_;
  std::size_t bytes_left_;
  std::optional<SharedRows> rows_;
  std::optional<SharingSource> sharing_;
};

/// What trainings of kernel machines on the same samples, with the same kernel, share: rows of the
/// kernel matrix, or the whole matrix where its spectrum is checked or repaired.
class SharedKernel final : public SharedWork {
 public:
  /// A checked or repaired matrix.
  struct Whole {
    FloatMatrix values;
    RepairRecord repair;
  };

  /// Of n samples, in `bytes` bytes. `whole`: of a kernel that is not known to be positive
  /// semi-definite. Null if these are too few for the matrix.
  static std::shared_ptr<SharedKernel> make(std::size_t n, std::size_t bytes, bool whole,
                                            numerics::SpectrumRepair repair);

  explicit SharedKernel(std::size_t bytes) : bytes_(bytes), rows_(bytes) {}

  /// Whether the samples are those of the first training that asked: the same, in the same order,
  /// about the same centre. Otherwise its kernel values are not this training's.
  bool fits(const SortedSamples& samples);

  std::size_t bytes() const noexcept override { return bytes_; }
  SharedRows& rows() noexcept { return rows_; }

  /// The matrix that make() gives, made once. Where it throws, or gives one that a stop left
  /// undone, the next caller makes it.
  Whole whole(const std::function<Whole()>& make);

 private:
  const std::size_t bytes_;
  SharedRows rows_;
  std::mutex mutex_;
  std::shared_ptr<const Whole> whole_;
  std::vector<std::uint32_t> order_;  ///< of the first training's samples
  std::vector<float> centre_;
};

}  // namespace semblance::kernel
