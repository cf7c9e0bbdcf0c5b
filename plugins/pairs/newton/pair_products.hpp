// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "newton/pair_space.hpp"
#include "semblance/context.hpp"
#include "training/pair_shares.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {

/// Decision values of pairs, and sums of pairs' features, as matrix products on the factor's rows:
/// sum_p c_p Phi_p needs only E_i = sum_j c_ij z_j and Z'E. Blocks of rows with many needed pairs
/// use dense products, other blocks inner products of single rows. T is float or double; sums over
/// blocks are double. Each rank works on its own blocks with all rows of the factor and sends the
/// results to all ranks. The bits depend on neither the threads nor the ranks.
template <class T>
class PairProducts {
 public:
  PairProducts(const PairSpace& space, const PairShares& shares, Context& context);

  /// Makes w the point that values() speaks of. False on a stop request, as all of this kind.
  /// Collective.
  bool set_point(const std::vector<double>& w);
  /// The same for a quadratic form of each part.
  bool set_forms(const std::vector<QuadraticForm>& forms);

  /// out[p - table.start(first)] = <w, Phi_p> for the pairs p of an own block's rows, as a dense
  /// product or not. Thread-safe.
  void values(std::size_t block, const PairTable& table, bool dense, T* out) const;
  /// The same, by whichever is faster.
  void values(std::size_t block, const PairTable& table, T* out) const;

  /// Sums c_p Phi_p: begin_sum(), add() once per own block (thread-safe), end_sum(), which is
  /// collective. Degrees are summed if requested or needed.
  void begin_sum(bool degrees);
  void add(std::size_t block, const PairTable& table, const T* coefficients);
  bool end_sum(std::vector<double>& out);

  /// The sums of the coefficients of the pairs of each example, after end_sum().
  const std::vector<double>& degrees() const noexcept { return degrees_; }

 private:
  struct Part {
    std::vector<T> cross, own_form, linear;  // the point's quadratic form
    T own_factor = 0;                        // D = own_factor A, if there is no own_form
    std::vector<T> products;                 // own rows of Z A
    std::vector<T> sums;                     // own rows of E

    bool has_own() const noexcept {
      return !own_form.empty() || own_factor != 0 || !linear.empty();
    }
  };
  std::size_t columns(std::size_t part) const noexcept { return space_.parts()[part].factor->cols; }
  const T* z(std::size_t part, std::size_t row) const noexcept;
  bool run(const std::function<void(std::size_t)>& body);
  bool dense(std::size_t block, const PairTable& table) const noexcept;
  void compute_products(std::size_t block);
  const T* all_sums(std::size_t part, std::vector<T>& room);
  bool transposed_product(std::size_t part, const T* right, std::vector<T>& out);

  const PairSpace& space_;
  const PairShares& shares_;
  Context& context_;
  std::size_t n_;
  std::vector<Part> parts_;
  std::vector<T> own_;  // q of each example, over all parts
  bool sums_degrees_ = true;
  std::vector<double> partials_;  // degrees by own block
  std::vector<double> degrees_;
};

}  // namespace semblance::pairs
