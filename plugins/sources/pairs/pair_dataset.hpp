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
class PairDataset final : public Dataset {
 public:
  /// `pairs`, `labels` and the origins are in the order of reading; `split` orders them.
  PairDataset(Outline outline, StoredSides sides, std::vector<SamplePair> pairs,
              std::vector<std::int32_t> labels, std::vector<std::size_t> order, RowOrigins origins);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return origins_.targets.values; }
  std::span<const std::int32_t> groups() const noexcept override { return origins_.groups; }
  std::size_t values(std::size_t row) const override { return sides_.values(pairs_[row]); }
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override;
  std::int64_t number(std::size_t row) const override { return origins_.numbers[row]; }
  std::string name(std::size_t row) const override { return sides_.name(pairs_[row]); }

 private:
  Outline outline_;
  StoredSides sides_;
  std::vector<SamplePair> pairs_;
  std::vector<std::int32_t> labels_;
  RowOrigins origins_;
};

}  // namespace semblance::sources
