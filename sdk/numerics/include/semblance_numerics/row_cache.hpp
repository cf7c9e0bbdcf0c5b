// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/kernel_source.hpp"

namespace semblance::numerics {

/// An LRU cache of some columns of kernel rows, limited in bytes. A row that is in use stays valid
/// after eviction. Thread-safe: two callers that miss the same row at the same time both compute
/// it, with the same bits, and no caller waits for another one.
class RowCache {
 public:
  /// The values of one row, starting at the first of the columns.
  using Row = std::shared_ptr<const float>;

  RowCache(const KernelSource& source, Range rows, Range columns, std::size_t bytes);

  Range rows() const noexcept { return rows_; }
  Range columns() const noexcept { return columns_; }

  /// out[i] = row rows[i]. Missing rows are computed in blocks, in parallel.
  void fetch(std::span<const std::uint32_t> rows, std::span<Row> out, Context& context);

  /// The row if it is cached, else null.
  Row cached(std::uint32_t row);

  /// Memory for long rows that the caller computes: for `count` of them, or as many as fit.
  std::vector<std::shared_ptr<float>> room(std::size_t count);
  /// Stores such rows.
  void store(std::span<const std::uint32_t> rows, std::span<const std::shared_ptr<float>> values);

  const KernelSource& source() const noexcept { return source_; }

  /// The columns of long rows that a thread computes at once.
  static constexpr std::size_t long_columns = 16384;

  /// Whether this cache has long rows: a source computes them in parts, straight into a memory of
  /// their own each, so that a row that is in use keeps no other one in memory.
  static bool long_rows(const KernelSource& source, std::size_t columns) noexcept {
    return columns >= long_columns && source.computes_in_parts();
  }

  /// Kernel values computed so far.
  std::size_t computed() const;

 private:
  struct Block {
    std::shared_ptr<float> values;
    std::vector<std::uint32_t> rows;
  };
  using Blocks = std::list<Block>;
  struct Place {
    Blocks::iterator block;
    std::uint32_t row = 0;
    bool present = false;
  };

  bool find(std::uint32_t row, Row& out);
  void compute_long(std::vector<Block>& blocks, std::span<const std::uint32_t> rows,
                    Context& context) const;
  std::vector<Block> compute(std::span<const std::uint32_t> rows,
                             std::vector<std::shared_ptr<float>> spare, Context& context) const;
  void keep(Block block);
  std::vector<std::shared_ptr<float>> evict(std::size_t incoming);
  std::size_t bytes(std::size_t rows) const noexcept {
    return rows * columns_.count * sizeof(float);
  }

  const KernelSource& source_;
  Range rows_;
  Range columns_;
  std::size_t most_bytes_;
  std::size_t rows_a_block_;
  mutable std::mutex mutex_;
  Blocks blocks_;  // most recently used first
  std::vector<Place> places_;
  std::size_t kept_bytes_ = 0;
  std::size_t computed_ = 0;
};

}  // namespace semblance::numerics
