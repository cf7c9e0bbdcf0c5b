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

/// The common base of pair solvers: the pair kernel as parameter `kernel`, and the learned decision
/// function.
class PairMachine : public PairSolver {
 public:
  void bind(const Layout& input) override;
  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  /// The training samples used by pairs, and their data for the standard kernel.
  struct Examples {
    std::vector<std::int32_t> rows;     ///< of the training samples, ascending
    std::vector<std::int32_t> places;   ///< of each training sample among these; -1: in no pair
    std::vector<std::int64_t> numbers;  ///< by which the source knows these rows
    FloatMatrix values;
  };
  /// Checks pairs and values; throws Error naming the problem. Collective: all ranks get all
  /// examples.
  Examples examples(const PairTrainingSet& training, Context& context) const;

  /// Makes some of the examples the standard kernel's bases.
  void set_bases(const Examples& examples, std::span<const std::int32_t> chosen, Context& context);

  /// The kernel matrix of all examples, n x n; the examples become the bases. Throws Error if a
  /// value is not finite, or if the matrix is not known to be positive semi-definite and is not.
  /// Each rank computes the rows of its own blocks and gets all. Collective.
  FloatMatrix standard_matrix(const Examples& examples, const PairShares& shares, Context& context);

  /// Sets the model sum_p gamma_p K(pair p, .) + bias. Examples without a coefficient should have
  /// been removed.
  void keep(const Examples& examples, const Expansion& expansion, double bias, Context& context);

  /// Sets a model on the examples' rows themselves, if the standard kernel is their inner product.
  void keep(SumModel model) { sums_ = std::move(model), of_rows_ = true, expansion_ = {}; }
  /// Sets a model on the standard kernel's values to its current bases.
  void keep_on_bases(SumModel model) {
    sums_ = std::move(model), of_rows_ = false, expansion_ = {};
  }

  /// The error of the standard kernel's values by their definition, for a random subset of the
  /// examples; nothing before standard_matrix(), or without a definition in double.
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
