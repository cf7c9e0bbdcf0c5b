// SPDX-License-Identifier: MIT
#include <string>
#include <unordered_map>

#include "kernels/pair_similarity.hpp"

namespace semblance::pairs {
namespace {

/// A sample's values, and the columns of a sparse one, as bytes: equal samples have equal ones.
std::string bytes_of(MatrixView rows, std::size_t row) {
  const auto values = rows.row_span(row);
  std::string bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  if (!rows.sparse()) return bytes;
  const auto columns = rows.columns_of(row);
  return bytes.append(reinterpret_cast<const char*>(columns.data()), columns.size_bytes());
}

/// Numbers samples so that equal ones have the same number.
class EqualSamples {
 public:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  void set(FloatMatrix samples) {
    samples_ = std::move(samples);
    numbers_.clear();
    of_.clear();
    for (std::size_t i = 0; i < samples_.rows; ++i)
      of_.push_back(numbers_
                        .try_emplace(bytes_of(std::as_const(samples_).view(), i),
                                     static_cast<std::uint32_t>(i))
                        .first->second);
  }
  std::uint32_t number(std::uint32_t sample) const noexcept { return of_[sample]; }
  /// The number of an equal sample; `none`: there is none.
  std::uint32_t number_like(MatrixView rows, std::size_t row) const {
    const auto found = numbers_.find(bytes_of(rows, row));
    return found == numbers_.end() ? none : found->second;
  }
  MatrixView samples() const noexcept { return samples_.view(); }

 private:
  FloatMatrix samples_;
  std::vector<std::uint32_t> of_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// s((a, b), (c, d)) = k(a, c) [b = d] + [a = c] g(b, d). Equality is a kernel, and so are its
/// products with kernels and their sum.
class Cartesian final : public PairSimilarity {
 public:
  static Declaration<Cartesian> declare() {
    Declaration<Cartesian> declaration("similarity/cartesian",
                                       "Similarity of first samples where the second are equal, "
                                       "plus that of second samples where the first are");
    declare_sides(declaration, "similarity")
        .documentation(
            "The similarity of the basis (a, b) and the pair (c, d) is k(a, c) if b = d, plus g(b, "
            "d) if a = c, and else 0: a pair learns from the pairs with which it shares a sample. "
            "It suits pairs of known samples (`setting: new_pairs`); for a pair of two new samples "
            "it is 0. Samples are equal if all their values are. Positive semi-definite if both "
            "parts are.")
        .reference(
            "Kashima et al., Cartesian kernel: an efficient alternative to the pairwise kernel, "
            "2010")
        .complexity(
            "three operations per pair and basis, besides the similarities of the distinct samples")
        .example(R"(
        pairs:
          is: source/pairs
          path: affinities.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/csv, path: targets.csv, label: none, id: protein}
          target: affinity
          test_fraction: 0.25
        ridge:
          is: solver/kernel_ridge
          kernel: {is: similarity/cartesian, first: {is: similarity/rbf, gamma: 0.5}}
          from: pairs
        test: {is: evaluator/regression, from: ridge})");
    return declaration;
  }

 private:
  void combine(MatrixView in, std::size_t first, const std::array<Compared, 2>& sides,
               MutableMatrixView out) const override {
    const auto a = of(Side::first).subspan(first), b = of(Side::second).subspan(first);
    std::array<std::vector<std::uint32_t>, 2> like;
    for (const Side side : both_sides) {
      const auto s = index_of(side);
      const DistinctParts samples = distinct_parts(in, layout(), side);
      for (std::size_t i = 0; i < samples.rows.rows; ++i)
        like[s].push_back(known_[s].number_like(samples.rows.view(), i));
    }
    for (std::size_t i = 0; i < in.rows; ++i) {
      const std::uint32_t c = like[0][sides[0].of[i]], d = like[1][sides[1].of[i]];
      float* const values = out.row(i);
      for (std::size_t j = 0; j < out.cols; ++j)
        values[j] = (known_[1].number(b[j]) == d ? sides[0].at(i, a[j]) : 0) +
                    (known_[0].number(a[j]) == c ? sides[1].at(i, b[j]) : 0);
    }
  }

  void keep_samples(Side side, const FloatMatrix& samples) override {
    known_[index_of(side)].set(samples);
  }
  void save_samples(StateWriter& state) const override {
    state.floats("first_samples", known_[0].samples());
    state.floats("second_samples", known_[1].samples());
  }

  void load_samples(const StateReader& state) override {
    for (const Side side : both_sides) {
      const auto s = index_of(side);
      FloatMatrix samples = state.floats(s == 0 ? "first_samples" : "second_samples");
      for (const std::uint32_t sample : of(side))
        if (sample >= samples.rows)
          throw Error("a saved basis has no sample; the state is damaged");
      known_[s].set(std::move(samples));
    }
  }

  std::array<EqualSamples, 2> known_;
};

}  // namespace

ComponentEntry declare_cartesian() { return Cartesian::declare().entry(); }

}  // namespace semblance::pairs
