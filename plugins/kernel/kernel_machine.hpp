// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "kernel_expansion.hpp"
#include "semblance/support_vectors.hpp"
#include "vector_origins.hpp"

namespace semblance::kernel {

/// The classes that a problem separates: `positive` against `negative`, or against all other
/// classes.
struct Opponents {
  static constexpr std::int32_t rest = -1;
  std::int32_t positive;
  std::int32_t negative;
};

/// All problems: every class against every later one, or against the rest; one problem for two
/// classes.
std::vector<Opponents> opponents(std::size_t classes, bool one_versus_one);

/// One score per class from the problems' decision values.
///
/// One versus rest: the decision values. Two classes: (f, -f), where f = 0 is the second class as
/// in LIBSVM. One versus one: a class's votes, plus s / (3 |s| + 3) for the sum s of its decision
/// values, which is less than a third and so only breaks ties.
void class_scores(std::size_t classes, bool one_versus_one, std::span<const Opponents> problems,
                  std::span<const double> decisions, std::span<float> scores);

/// Several two-class machines on the same expansion vectors. Turns their decision values into one
/// score per class.
class KernelMachine {
 public:
  KernelMachine() = default;
  /// `terms` and `biases`: one entry per problem, in the order of opponents(). `starts`: the
  /// boundaries of groups of vectors that few problems use (the first vector of each class, and the
  /// number of vectors).
  KernelMachine(std::size_t classes, bool one_versus_one, std::vector<double> biases,
                std::span<const std::vector<Term>> terms, std::span<const std::size_t> starts);
  /// Throws Error if the arrays do not fit together.
  explicit KernelMachine(const StateReader& state);

  void save(StateWriter& state) const;

  std::size_t classes() const noexcept { return classes_; }
  std::size_t vectors() const noexcept { return expansion_.vectors(); }
  std::size_t problems() const noexcept { return problems_.size(); }

  /// As in DecisionValues.
  std::span<const std::uint32_t> vector_rows() const noexcept { return origins_.rows; }
  std::span<const VectorRole> vector_roles() const noexcept { return origins_.roles; }
  void set_origins(VectorOrigins origins) { origins_ = std::move(origins); }

  std::span<const Opponents> opponents_of_problems() const noexcept { return problems_; }
  std::span<const double> biases() const noexcept { return expansion_.biases(); }
  std::vector<double> coefficients(std::size_t problem) const {
    return expansion_.coefficients(problem);
  }

  /// The functions' values, before they become scores, given the kernel values.
  std::vector<double> decisions(MatrixView kernel) const { return expansion_.values(kernel); }
  /// The same of the rows themselves, by linear functions.
  void decisions(MatrixView rows, const Vectors<double>& functions,
                 const std::function<void(std::size_t, std::span<const double>)>& take) const {
    expansion_.values(rows, functions, take);
  }

  /// The class_scores() of rows with one kernel value per vector. A row's scores do not depend on
  /// other rows.
  void score(MatrixView kernel, MutableMatrixView scores) const;

  /// For a linear kernel with these vectors: the weights of each problem's function, summed about a
  /// centre in double.
  Vectors<double> functions(const Similarity& vectors, std::size_t cols,
                            std::span<const float> centre = {}) const {
    return expansion_.weights(vectors, cols, centre);
  }
  /// For a linear machine trained on centred rows: sets the biases for the original rows.
  void move_centre(const Similarity& vectors, std::span<const float> centre) {
    expansion_.move_centre(vectors, centre);
  }
  /// Scores of the rows themselves, by linear functions.
  void score(MatrixView rows, const Vectors<double>& functions, MutableMatrixView scores) const;

  /// Converts to a LIBSVM machine, given the kernel with all vectors; vectors without a coefficient
  /// are omitted. Throws Error if it has no such form.
  SupportVectorMachine with_vectors(const SupportVectorMachine& kernel) const;

  /// The scores as a formula.
  Formula::Value write(Formula& formula, Formula::Value kernel) const;
  /// The same for the rows themselves.
  Formula::Value write(Formula& formula, const Vectors<double>& functions, Formula::Value in) const;

 private:
  std::vector<std::int32_t> classes_of_vectors() const;
  Formula::Value write_scores(Formula& formula, Formula::Value decisions) const;
  Formula::Value write_votes(Formula& formula, Formula::Value decisions) const;
  void combine(std::span<const double> decisions, std::span<float> scores) const {
    class_scores(classes_, one_versus_one_, problems_, decisions, scores);
  }

  std::size_t classes_ = 0;
  bool one_versus_one_ = true;
  std::vector<Opponents> problems_;
  VectorOrigins origins_;
  KernelExpansion expansion_;
};

}  // namespace semblance::kernel
