// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "column_centre.hpp"
#include "kernels/pair_columns.hpp"
#include "machines/sum_model.hpp"
#include "semblance/declaration.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/pairs.hpp"
#include "semblance/report.hpp"
#include "semblance/state.hpp"
#include "training/pair_shares.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {

/// A pairwise decision function sum_p gamma_p K(pair p, (u, v)) + bias whose kernel does not factor
/// into matrix products: evaluated pair by pair, in vectors of support pairs.
struct ExpansionModel {
  double bias = 0;
  std::vector<double> coefficients;  ///< empty: no such model
  PairColumns pairs;                 ///< of the bases
  std::size_t bases = 0;

  /// `values`: the standard kernel's values of each row to the bases; `coordinates`: the rows'
  /// first values, if the kernel is ordered. out[p] = (f(a, b) + f(b, a)) / 2, so that the order
  /// within a pair does not matter.
  void score(const PairKernel& kernel, MatrixView values, std::span<const float> coordinates,
             const PairSet& pairs, std::span<float> out, Context& context) const;

  void save(StateWriter& state) const;
  static ExpansionModel load(const StateReader& state);
};

/// sgn(a_1 - b_1)
float order_sign(float a, float b) noexcept;

/// The common base of pair solvers: the pair kernel as parameter `kernel`, the weights of losses,
/// and the learned decision function.
class PairMachine : public PairSolver {
 public:
  void check_parameters() const override { PairWeights{class_weights_}; }
  void bind(const Layout& input) override;
  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  /// Adds the parameters of this class to the declaration of T; C weighs what `losses` says.
  template <class T>
  static Declaration<T>& declare_machine(Declaration<T>& declaration, const char* losses) {
    return declaration
        .parameter("kernel", &PairMachine::kernel_, "the pair kernel",
                   default_component("pair_kernel/tensor_learning"))
        .parameter("C", &PairMachine::cost_, losses, above(0))
        .parameter("class_weights", &PairMachine::class_weights_,
                   "factors on the losses of pairs: {same: 2, different: 1}; 1 for one that is "
                   "not named");
  }

  /// The training samples used by pairs, and their data for the standard kernel.
  struct Examples {
    std::vector<std::int32_t> rows;     ///< of the training samples, ascending
    std::vector<std::int32_t> places;   ///< of each training sample among these; -1: in no pair
    std::vector<std::int64_t> numbers;  ///< by which the source knows these rows
    FloatMatrix values;                 ///< minus the centre
  };
  /// Checks pairs and values; throws Error naming the problem. Collective: all ranks get all
  /// examples.
  Examples examples(const PairTrainingSet& training, Context& context);

  /// Makes some of the examples the standard kernel's bases.
  void set_bases(const Examples& examples, std::span<const std::int32_t> chosen, Context& context);

  /// The kernel matrix of all examples, n x n; the examples become the bases. Throws Error if a
  /// value is not finite, or if the matrix is not known to be positive semi-definite and is not.
  /// After a stop request, which the caller's solver notices before it reads any value, the unit
  /// matrix. Each rank computes the rows of its own blocks and gets all. Collective.
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

  /// Reports the number of pairs, the numbers that the model consists of, and the time.
  void report_training(std::size_t pairs, std::chrono::steady_clock::time_point begin,
                       Report& report) const;

  std::unique_ptr<PairKernel> kernel_;
  double cost_ = 1;
  NamedValues class_weights_;
  Layout layout_;

 private:
  std::size_t parameters() const;
  FloatMatrix computed_matrix(const Examples& examples, const PairShares& shares, Context& context);
  FloatMatrix features(const FloatMatrix& values, Context& context) const;

  /// The examples' mean, if the function stays the same and float32 keeps more digits about it:
  /// products of rows, in a kernel that does not depend on where their zero is.
  common::Centre centre_;
  std::optional<SumModel> sums_;
  bool of_rows_ = false;
  std::optional<double> check_error_ = {};
  ExpansionModel expansion_;
};

}  // namespace semblance::pairs
