// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/explain/explain_options.hpp"
#include "runtime/explain/score_sum.hpp"
#include "runtime/session/run_data.hpp"
#include "semblance/explanation.hpp"

namespace semblance {

/// What a machine and the nodes before it compute for rows of their source, on all threads. Rows
/// are dense; of sparse ones they have the given columns, which are all that have values.
class MachineValues {
 public:
  MachineValues(RunProgress& progress, RunData& data, std::size_t machine,
                const std::atomic<bool>* cancel)
      : progress_(progress), data_(data), machine_(machine), cancel_(cancel) {}

  /// Intervals are explained by their estimates.
  FloatMatrix scores(MatrixView rows) const;
  /// The rows of these nodes side by side.
  FloatMatrix of_nodes(const std::vector<std::size_t>& nodes, MatrixView rows,
                       std::span<const std::size_t> columns) const;
  /// The columns in which a node's sparse rows have values, ascending; at least one.
  std::vector<std::size_t> columns_with_values(std::size_t node,
                                               std::initializer_list<MatrixView> rows) const;
  /// One row of terms per row.
  FloatMatrix terms(const ScoreSum& sum, MatrixView rows) const;
  /// The machine's own values of the functions: rows x functions.
  std::vector<double> functions(const ScoreSum& sum, MatrixView rows) const;

  NodeContext context() const;

 private:
  FloatMatrix as_given(std::size_t node, MatrixView rows) const;
  FloatMatrix of_node(std::size_t node, MatrixView rows,
                      std::span<const std::size_t> columns) const;
  FloatMatrix inputs(MatrixView rows) const;

  RunProgress& progress_;
  RunData& data_;
  std::size_t machine_;
  const std::atomic<bool>* cancel_;
};

/// The machine to explain: the node of that name, or without a name the only solver whose scores
/// are a result. For a calibrator it is the solver before it. Throws Error.
std::size_t explained_machine(const Compilation& graph, const std::string& name);

/// A solver itself, or the one before a calibrator. Throws Error.
std::size_t machine_before(const Compilation& graph, std::size_t node);

/// Explains what a machine gives for rows of its source. What is explained is one number per row:
/// for two classes the decision value, for several classes the decision value of the class against
/// the strongest other one, or the difference between their scores; for a number to predict, with
/// or without an interval, the estimate.
///
/// The terms of that number belong to examples: the bases of maps, or the vectors of a kernel
/// machine. Its shares are the Shapley values of the game v(S), the mean over the background of the
/// number for a row whose parts in S are the sample's and whose others are the background row's.
class Explainer {
 public:
  /// `rows` and `background` are rows of the source, which must outlive it.
  Explainer(RunProgress& progress, RunData& data, std::size_t machine, ExplainOptions options,
            MatrixView rows, MatrixView background, const std::atomic<bool>* cancel = nullptr);

  /// One explanation per row. Throws Error in one sentence where nothing can be explained, and
  /// where a sum is not the machine's value.
  std::vector<Explanation> explain() const;

 private:
  /// What is explained of a row: a weighted sum of functions.
  struct Question {
    std::vector<std::pair<std::size_t, double>> functions;  ///< and their factors

    double of(std::span<const double> values) const;
  };

  void check_machine() const;
  void check_finite(double value) const;
  Question question(std::span<const float> scores, Explanation& made) const;
  Question class_question(std::span<const float> scores, Explanation& made) const;
  double weight(const Question& question, std::size_t term) const;
  std::string class_of(std::size_t term) const;
  void add_terms(std::span<const float> terms, double own, const Question& question,
                 Explanation& made) const;
  ExampleTerm example(const SummedTerms& part, std::size_t basis) const;
  std::string why_not_exact() const;
  std::vector<std::size_t> compared_columns(std::size_t node) const;
  void add_exact(std::span<const Question> questions, std::vector<Explanation>& made) const;
  void add_columns(const SummedTerms& part, MatrixView compared, std::span<const double> shares,
                   std::vector<Explanation>& made) const;
  void check_sum_of_shares(MatrixView terms, std::span<const double> mean_terms,
                           std::span<const Question> questions,
                           std::span<const Explanation> made) const;
  void add_sampled(std::span<const Question> questions, std::vector<Explanation>& made) const;
  const Outline& outline() const { return *progress_.facts(machine_).outline; }

  RunProgress& progress_;
  RunData& data_;
  std::size_t machine_;
  ExplainOptions options_;
  MatrixView rows_, background_;
  MachineValues values_;
  ScoreSum sum_;        ///< without terms where the scores are no sum
  std::string no_sum_;  ///< why they are not
};

}  // namespace semblance
