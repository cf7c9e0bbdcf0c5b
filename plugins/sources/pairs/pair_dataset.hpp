// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rows/row_dataset.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::sources {

using SamplePair = std::array<std::uint32_t, 2>;  ///< positions of the two samples

/// The samples of both sides, of which rows are put together.
class StoredSides {
 public:
  /// All samples of both, in their order.
  StoredSides(const Dataset& first, const Dataset& second);

  const Layout& layout() const noexcept { return layout_; }  ///< of a pair
  std::size_t values(const SamplePair& pair) const;
  void write(const SamplePair& pair, std::span<float> row) const;
  /// "the first's name + the second's name"
  std::string name(const SamplePair& pair) const;
  std::size_t bytes() const noexcept;

 private:
  struct Samples {
    FloatMatrix values;
    std::vector<float> columns;          ///< of entries of sparse samples, as values of rows
    std::vector<std::uint32_t> numbers;  ///< Dataset::number()
    std::vector<std::string> names;
  };

  static Samples all_samples(const Dataset& data);
  PairPart part(Side side, const SamplePair& pair) const;

  Layout layout_;
  std::array<Samples, 2> sides_;
};

/// Pairs of samples. Each sample is stored once.
class PairValues final : public RowValues {
 public:
  PairValues(StoredSides sides, std::vector<SamplePair> pairs)
      : sides_(std::move(sides)), pairs_(std::move(pairs)) {}

  std::size_t size(std::size_t row, const Layout&) const override {
    return sides_.values(pairs_[row]);
  }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) sides_.write(pairs_[first + i], out.row_span(i));
  }
  std::size_t bytes() const noexcept override {
    return pairs_.size() * sizeof(SamplePair) + sides_.bytes();
  }
  std::string name(std::size_t row) const override { return sides_.name(pairs_[row]); }

 private:
  StoredSides sides_;
  std::vector<SamplePair> pairs_;
};

}  // namespace semblance::sources
