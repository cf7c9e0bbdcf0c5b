// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// How a solver ended. Reported as text under the node's `certificate`.
enum class Certificate {
  converged,        ///< its own criterion holds
  passes_made,      ///< its method makes a given number of passes, and it has made them
  iteration_limit,  ///< it stopped short of its criterion: at a limit, or where rounding hides it
  deadline,
  cancelled
};

/// "converged", "all passes made", "iteration limit", "deadline" or "cancelled".
const char* name(Certificate certificate) noexcept;

/// The certificate of training that a stop request has ended: deadline or cancelled.
Certificate stop_certificate(const Context& context) noexcept;

/// Kind `solver`: learns a classifier and gives every sample one score a class, the larger the
/// likelier; as a Transform it maps a sample to its vector of class scores. bind() may return
/// depth 0 until it is trained or loaded.
class Solver : public Transform {
 public:
  static const KindInfo& kind_info();
  ~Solver() override;

  /// Learns. On a stop request it keeps the best model so far. Reports at least `certificate`,
  /// `objective`, and a duality gap or gradient norm.
  virtual void train(const TrainingSet& training, Report& report, Context& context) = 0;

  /// Whether train() looks at the rows' values; where not, none are computed for it, and it is told
  /// the bases of its one input, if that is a similarity map (TrainingSet::bases).
  virtual bool uses_rows() const { return true; }

  /// Whether a sample's scores are probabilities of the classes: not negative, and 1 together.
  virtual bool gives_probabilities() const { return false; }
};

/// What a solver may be besides, where several local models make up the score of a class (ML3,
/// LL-SVM, coordinate codings).
class LocalModels {
 public:
  virtual ~LocalModels();
  virtual std::size_t local_models() const noexcept = 0;

  /// For every row of `in`, the share of each local model in the score of class `classes[row]`:
  /// `shares` is n x local_models(), its rows are not negative and add up to 1, or are all zero
  /// where no local model serves the row. Thread-safe.
  virtual void assign(MatrixView in, std::span<const std::int32_t> classes,
                      MutableMatrixView shares, Context& context) const = 0;
};

/// What a solver may be besides, where it can tell what it would say of a training row if it had
/// not been trained on it. `select` with `folds: leave_one_out` asks it, and takes care of the
/// rest: the columns of the solver's rows are similarities to all training rows, and nothing else
/// has learned from the row.
class LeaveOneOut {
 public:
  virtual ~LeaveOneOut();

  /// Row i of `in` is the training row at position `rows[i]` of the training set, as apply() would
  /// be given it. Its scores are those, bit for bit, of the same solver trained on all other rows,
  /// whose rows lack the column of this one; a class that would have no row left gets the smallest
  /// score. Thread-safe, and independent of the rows around it, like apply().
  virtual void apply_left_out(MatrixView in, std::span<const std::int64_t> rows,
                              MutableMatrixView out, Context& context) const = 0;
};

}  // namespace semblance
