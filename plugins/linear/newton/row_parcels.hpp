// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "newton/gram_chunk.hpp"
#include "semblance/collectives.hpp"

/// Transfer of rows for a Gram matrix between ranks, a chunk at a time.
namespace semblance::linear {

/// The distribution of the rows chosen by all ranks: those of rank r are [begins[r], begins[r +
/// 1]).
class Shares {
 public:
  /// For one list per count.
  static std::vector<Shares> of(const std::vector<std::size_t>& own_counts, Context& context) {
    Collectives& ranks = context.collectives();
    const std::vector<std::size_t> counts = ranks.gather(own_counts);
    std::vector<Shares> shares(own_counts.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i].begins_.push_back(0);
      for (std::size_t r = 0; r < ranks.ranks(); ++r)
        shares[i].begins_.push_back(shares[i].begins_.back() + counts[r * shares.size() + i]);
    }
    return shares;
  }

  std::size_t ranks() const noexcept { return begins_.size() - 1; }
  std::size_t chunks() const noexcept { return (begins_.back() + chunk_rows - 1) / chunk_rows; }
  std::size_t chunk_size(std::size_t chunk) const noexcept {
    return std::min(chunk_rows, begins_.back() - chunk * chunk_rows);
  }

  /// The rows of a rank in a chunk.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  Range of_rank(std::size_t rank, std::size_t chunk) const noexcept {
    if (chunk >= chunks()) return {};
    const auto clamped = [&](std::size_t place) {
      return std::clamp(place, begins_[rank], begins_[rank + 1]) - begins_[rank];
    };
    const std::size_t first = clamped(chunk * chunk_rows);
    return {first, clamped(chunk * chunk_rows + chunk_size(chunk)) - first};
  }

 private:
  std::vector<std::size_t> begins_;
};

/// Rows in transfer between ranks: their weights, then the values of the chosen columns.
class Parcel {
 public:
  Parcel(const GramColumns& columns, std::size_t cols)
      : width_(columns.chosen.empty() ? cols : columns.chosen.size()) {}

  std::size_t bytes(std::size_t count) const noexcept {
    return count * (sizeof(double) + width_ * sizeof(float));
  }

  /// Appends own rows.
  void pack(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
            std::vector<std::byte>& to) const {
    const std::size_t begin = to.size(), values = begin + chosen.size() * sizeof(double);
    to.resize(begin + bytes(chosen.size()));
    std::vector<float> picked(columns.chosen.size());
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      std::memcpy(&to[begin + r * sizeof(double)], &chosen[r].weight, sizeof(double));
      const float* x = rows.view(chosen[r].row, 1).data;
      for (std::size_t k = 0; k < picked.size(); ++k)
        picked[k] = columns.chosen[k] < rows.cols() ? x[columns.chosen[k]] : 0;
      const std::size_t size = width_ * sizeof(float);
      std::memcpy(&to[values + r * size], picked.empty() ? x : picked.data(), size);
    }
    if (chosen.empty()) return;
    rows.release(chosen.front().row, chosen.back().row + 1 - chosen.front().row);
  }

  /// Fills rows of a chunk; returns the weight of the last.
  template <class T>
  double unpack(const std::byte* from, std::size_t count, std::size_t cols,
                const GramColumns& columns, Vectors<T>& chunk, std::size_t first) const {
    double weight = 1;
    std::vector<float> x(width_);
    for (std::size_t r = 0; r < count; ++r) {
      std::memcpy(&weight, from + r * sizeof(double), sizeof(double));
      const std::size_t size = width_ * sizeof(float);
      std::memcpy(x.data(), from + count * sizeof(double) + r * size, size);
      fill_row([&](std::size_t k) { return x[k]; }, cols, weight, columns, chunk.row(first + r));
    }
    return weight;
  }

 private:
  std::size_t width_;
};

}  // namespace semblance::linear
