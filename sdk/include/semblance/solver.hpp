// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "semblance/component.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// How a solver ended. Reported as text under the node's `certificate`.
enum class Certificate {
  converged,        ///< its own criterion holds
  passes_made,      ///< its method makes a given number of passes and has made them all
  iteration_limit,  ///< it stopped before its criterion held: at a limit, or because of rounding
  deadline,
  cancelled
};

/// "converged", "all passes made", "iteration limit", "deadline" or "cancelled".
const char* name(Certificate certificate) noexcept;

/// The certificate of a training ended by a stop request: deadline or cancelled.
Certificate stop_certificate(const Context& context) noexcept;

/// The base of all solvers for samples: of classifiers (Solver), of machines that predict numbers
/// (Regressor), and of those that recognize novel samples (NoveltyDetector).
class Learner : public Transform {
 public:
  ~Learner() override;

  /// Learns. On a stop request it returns with the best model so far. Reports at least
  /// `certificate`, `objective`, and a duality gap or gradient norm.
  virtual void train(const TrainingSet& training, Report& report, Context& context) = 0;

  /// Whether train() reads the rows' values. If not, they are not computed for it, and it gets the
  /// bases of its single input if that is a similarity map (TrainingSet::bases).
  virtual bool uses_rows() const { return true; }

  /// Whether it can compute the scores which a training sample would get if it had been trained
  /// without that sample. `select` with `folds: leave_one_out` then does, and ensures the
  /// preconditions: the input columns are the similarities to all training samples, and nothing
  /// else has learned from the sample. By default, no.
  virtual bool leaves_one_out() const { return false; }

  /// Row i of `in` is the training sample at position `rows[i]` of the training set, as passed to
  /// apply(). Its scores equal, bit for bit, those of the same solver trained on all other samples,
  /// without the column of this one. A class with no other sample gets the smallest score.
  /// Thread-safe and independent of other rows, like apply().
  virtual void apply_left_out(MatrixView in, std::span<const std::int64_t> rows,
                              MutableMatrixView out, Context& context) const;
};

/// Kind `solver`: learns a classifier and gives every sample one score per class, the larger the
/// likelier. As a Transform it maps a sample to its vector of class scores. bind() may return depth
/// 0 until it is trained or loaded.
class Solver : public Learner {
 public:
  static const KindInfo& kind_info();
  ~Solver() override;

  /// Whether a sample's scores are class probabilities: not negative, with sum 1.
  virtual bool gives_probabilities() const { return false; }

  /// The number of local models that a class's score is computed from (ML3, LL-SVM, coordinate
  /// codings); 0, the default: it has none.
  virtual std::size_t local_models() const noexcept { return 0; }

  /// Computes the share of each local model in the score of class `classes[row]`, for every row of
  /// `in`. `shares` is n x local_models(). Its rows are not negative with sum 1, or zero if no
  /// local model serves the row. Thread-safe.
  virtual void assign(MatrixView in, std::span<const std::int32_t> classes,
                      MutableMatrixView shares, Context& context) const;
};

}  // namespace semblance
