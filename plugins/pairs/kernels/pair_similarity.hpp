// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/similarity.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::pairs {

/// The common part of similarities of pairs that are made of similarities of their samples: those
/// of distinct samples are computed once for all pairs with them.
class PairSimilarity : public Similarity, public LearnsFromSamples {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return of_[0].size(); }
  double operations() const noexcept final;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  bool positive_semidefinite() const noexcept final {
    return part(0).positive_semidefinite() && (joint() || part(1).positive_semidefinite());
  }
  bool learns_from_bases() const noexcept final {
    return part(0).learns_from_bases() || (!joint() && part(1).learns_from_bases());
  }
  bool samples_suffice() const noexcept final {
    return !needs_all_bases(part(0)) && (joint() || !needs_all_bases(part(1)));
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

  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static Declaration<T>& declare_parts(Declaration<T>& declaration) {
    return declaration
        .parameter("first", &PairSimilarity::first_, "the similarity of first samples",
                   default_component("similarity/rbf"))
        .parameter("second", &PairSimilarity::second_,
                   "the similarity of second samples; omitted: the same as for first samples",
                   optional())
        .accepts({LayoutKind::pair});
  }

  /// Whether both samples are of one domain, and `first` compares all of them.
  virtual bool joint() const noexcept { return false; }

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
  bool has_second() const noexcept { return second_ != nullptr; }

 private:
  void prepare(const Layout& input) final;
  Compared compare(MatrixView in, Side side, std::size_t first, std::size_t count,
                   Context& context) const;
  Compared compare_jointly(MatrixView in, Context& context) const;

  /// The similarity of one side, which is made when it is first asked for: bind() asks for all.
  Similarity& part(std::size_t side) const;

  Maker<Similarity> first_;
  std::unique_ptr<Similarity> second_;
  Layout layout_;
  mutable std::array<std::unique_ptr<Similarity>, 2> made_;  ///< by `first_`
  std::array<std::vector<std::uint32_t>, 2> of_;
};

}  // namespace semblance::pairs
