// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/side_kernels.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/similarity.hpp"

namespace semblance::pairs {

/// The common part of similarities of pairs that are made of similarities of their samples: those
/// of distinct samples are computed once for all pairs with them.
class PairSimilarity : public Similarity, public LearnsFromSamples, public SideKernels {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return of_[0].size(); }
  double operations() const noexcept final;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  bool positive_semidefinite() const noexcept final {
    return part(Side::first).positive_semidefinite() &&
           (joint() || part(Side::second).positive_semidefinite());
  }
  bool learns_from_bases() const noexcept final {
    return part(Side::first).learns_from_bases() ||
           (!joint() && part(Side::second).learns_from_bases());
  }
  bool samples_suffice() const noexcept final {
    return !needs_all_bases(part(Side::first)) && (joint() || !needs_all_bases(part(Side::second)));
  }
  void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) final;
  void save(StateWriter& state) const final;
  void load(const StateReader& state, Context& context) final;

 protected:
  /// Similarities of the distinct samples in some pairs to those in the bases, double or float32.
  struct Compared {
    std::vector<std::uint32_t> of;  ///< for each pair its sample, a row of `values`
    FloatMatrix values;
    std::size_t first = 0;  ///< the bases' sample of the first column
    float at(std::size_t pair, std::uint32_t sample) const noexcept {
      return values.values[of[pair] * values.cols + (sample - first)];
    }
  };

  /// Whether both samples are of one domain, and `first` compares all of them.
  virtual bool joint() const noexcept { return false; }
  /// Those that have a similarity of their own.
  std::span<const Side> compared_sides() const noexcept {
    return std::span(both_sides).first(joint() ? 1 : 2);
  }

  /// Fills `out` for bases from `first` on, given the similarities of both sides. If joint(), the
  /// first holds those of all samples: pair i has samples 2 i and 2 i + 1.
  virtual void combine(MatrixView in, std::size_t first, const std::array<Compared, 2>& sides,
                       MutableMatrixView out) const = 0;

  /// Called with the bases' distinct samples, which they must keep if they need them.
  virtual void keep_samples(Side, const FloatMatrix&) {}
  virtual void save_samples(StateWriter&) const {}
  virtual void load_samples(const StateReader&) {}

  const Layout& layout() const noexcept { return layout_; }
  /// For each basis, its sample of one side; if joint(), in both cases among all samples.
  std::span<const std::uint32_t> of(Side side) const noexcept { return of_[index_of(side)]; }

 private:
  void prepare(const Layout& input) final;
  Compared compare(MatrixView in, Side side, std::size_t first, std::size_t count,
                   Context& context) const;
  Compared compare_jointly(MatrixView in, Context& context) const;

  Layout layout_;
  std::array<std::vector<std::uint32_t>, 2> of_;
};

}  // namespace semblance::pairs
