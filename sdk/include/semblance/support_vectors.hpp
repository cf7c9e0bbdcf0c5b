// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semblance {

/// A machine of LIBSVM's form: for each pair of classes a sum of kernel values with support
/// vectors, and of these pairs votes.
struct SupportVectorMachine {
  enum class Kernel { linear, polynomial, rbf, sigmoid };
  /// How scores come of the decision values of the pairs, where there are more than two classes.
  enum class Scores {
    votes_first,  ///< votes, and (n - 1 - i) / n for the i-th label: the first of equal ones wins
    votes_sums    ///< votes, and s / (3 |s| + 3) for the sum s of the class's decision values
  };

  Kernel kernel = Kernel::rbf;
  int degree = 0;    ///< of polynomial: (gamma <v, x> + coef0)^degree
  double gamma = 0;  ///< of polynomial, of rbf: exp(-gamma |v - x|^2), of sigmoid
  double coef0 = 0;  ///< of polynomial and sigmoid
  Scores scores = Scores::votes_first;

  std::size_t inputs = 0;           ///< values of a row
  std::vector<std::size_t> starts;  ///< of each vector's values, and their number: one more
  std::vector<std::uint32_t> columns;
  std::vector<double> values;  ///< those other than 0
  /// (classes - 1) x vectors: of a vector of the i-th label, row j - 1 is for the pair with a later
  /// label j, and row j for that with an earlier one.
  std::vector<double> coefficients;
  std::vector<double> rho;           ///< of each pair (i, j), i < j: the decision is sum - rho
  std::vector<std::int32_t> labels;  ///< classes in the machine's order
  std::vector<std::size_t> counts;   ///< vectors of each label, in that order

  std::size_t classes() const noexcept { return labels.size(); }
  std::size_t vectors() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
};

/// What a solver may be besides, where what it has learned is such a machine.
class SupportVectors {
 public:
  virtual ~SupportVectors();
  /// Throws Error in one sentence where it is none, with its parameters.
  virtual SupportVectorMachine support_vectors() const = 0;
};

/// What a similarity may be besides, where it is one of LIBSVM's kernels.
class SupportVectorKernel {
 public:
  virtual ~SupportVectorKernel();
  /// Fills in the kernel and, as vectors, the bases. Throws Error where its parameters do not allow
  /// that.
  virtual void describe(SupportVectorMachine& machine) const = 0;
};

/// A machine of LIBLINEAR's form: a linear function a class, or one for the second of two.
struct LiblinearMachine {
  std::string solver = "L2R_L2LOSS_SVC";  ///< LIBLINEAR's name of what trained it
  std::size_t inputs = 0;
  std::size_t classes = 0;
  double bias = 1;              ///< the constant behind a row's values; 0: none
  std::vector<double> weights;  ///< one vector a function: inputs, and the weight of the constant

  std::size_t functions() const noexcept { return weights.size() / (inputs + 1); }
};

/// What a solver may be besides, where what it has learned is such a machine.
class LinearWeights {
 public:
  virtual ~LinearWeights();
  virtual LiblinearMachine linear_machine() const = 0;
};

/// What a solver may be besides, where it can take over a machine that others have trained. Called
/// after bind(), in place of train(). Throws Error where the machine does not fit.
class TakesSupportVectors {
 public:
  virtual ~TakesSupportVectors();
  virtual void take(const SupportVectorMachine& machine) = 0;
};
class TakesLiblinearMachine {
 public:
  virtual ~TakesLiblinearMachine();
  virtual void take(const LiblinearMachine& machine) = 0;
};

}  // namespace semblance
