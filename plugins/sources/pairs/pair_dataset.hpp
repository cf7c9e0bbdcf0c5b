// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memory_dataset.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::sources {

/// Pairs of samples. Each sample is stored once; rows are put together on reading.
class PairDataset final : public Dataset {
 public:
  using Pair = std::array<std::uint32_t, 2>;  ///< positions of the two samples

  /// The samples of one side.
  struct Samples {
    FloatMatrix values;
    std::vector<std::uint32_t> numbers;  ///< Dataset::number()
    std::vector<std::string> names;
  };

  /// `pairs`, `labels` and the origins are in the order of reading; `split` orders them.
  PairDataset(Outline outline, std::array<Samples, 2> samples, std::vector<Pair> pairs,
              std::vector<std::int32_t> labels, std::vector<std::size_t> order, RowOrigins origins);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return origins_.targets.values; }
  std::span<const std::int32_t> groups() const noexcept override { return origins_.groups; }
  std::size_t values(std::size_t row) const override;
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override;
  std::int64_t number(std::size_t row) const override { return origins_.numbers[row]; }
  /// "the first's name + the second's name"
  std::string name(std::size_t row) const override;

 private:
  PairPart part(Side side, std::size_t row) const;

  Outline outline_;
  std::array<Samples, 2> samples_;
  /// Of sparse samples: the columns of their entries as values of rows.
  std::array<std::vector<float>, 2> columns_;
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> labels_;
  RowOrigins origins_;
};

/// All samples of a source, in their order.
PairDataset::Samples all_samples(const Dataset& data);

}  // namespace semblance::sources
