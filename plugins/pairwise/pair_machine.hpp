// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "expansion_model.hpp"
#include "pair_shares.hpp"
#include "semblance/pair_solver.hpp"
#include "sum_model.hpp"

namespace semblance::pairwise {

/// What the solvers of pairs share: the pair kernel as parameter `kernel`, and the learned decision
/// function.
class PairMachine : public PairSolver {
 public:
  void bind(const Layout& input) override;
  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  /// The training rows that pairs name, and what they are to the standard kernel.
  struct Examples {
    std::vector<std::int32_t> rows;     ///< of the training rows, ascending
    std::vector<std::int32_t> places;   ///< of each training row among these; -1: in no pair
    std::vector<std::int64_t> numbers;  ///< by which the source knows these rows
    FloatMatrix values;
  };
  /// Checks pairs and values; throws Error naming what is wrong. Collective: all ranks get all
  /// examples.
  Examples examples(const PairTrainingSet& training, Context& context) const;

  /// Makes some of the examples the standard kernel's bases.
  void set_bases(const Examples& examples, std::span<const std::int32_t> chosen, Context& context);

  /// k between all examples, n x n; the examples become the bases. Throws Error where a value is
  /// not finite or the matrix is not positive semi-definite and not known to be. Each rank computes
  /// the rows of its own blocks, and gets all. Collective.
  FloatMatrix standard_matrix(const Examples& examples, const PairShares& shares, Context& context);

  /// Makes the model sum_p gamma_p K(pair p, .) + bias. The examples of the expansion without a
  /// coefficient should have been left out.
  void keep(const Examples& examples, const Expansion& expansion, double bias, Context& context);

  /// Of rows of examples themselves, where the standard kernel is their inner product.
  void keep(SumModel model) { sums_ = std::move(model), of_rows_ = true, expansion_ = {}; }
  /// Of the standard kernel's values to its bases as they are set.
  void keep_on_bases(SumModel model) {
    sums_ = std::move(model), of_rows_ = false, expansion_ = {};
  }

  /// What the standard kernel's values differ by from their definition, for a sample of the
  /// examples; nothing before standard_matrix(), or where there is no definition in double.
  std::optional<double> check_error() const noexcept { return check_error_; }

  /// Numbers that the model consists of.
  std::size_t parameters() const;

  std::unique_ptr<PairKernel> kernel_;
  Layout layout_;

 private:
  FloatMatrix features(const FloatMatrix& values, Context& context) const;

  std::optional<SumModel> sums_;
  bool of_rows_ = false;
  std::optional<double> check_error_ = {};
  ExpansionModel expansion_;
};

}  // namespace semblance::pairwise
