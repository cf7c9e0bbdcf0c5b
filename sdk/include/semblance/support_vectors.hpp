// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semblance {

/// A machine in LIBSVM's form: for each pair of classes a sum of kernel values with support
/// vectors, combined by votes. Of a machine that predicts a number, without labels and counts, the
/// only such sum: `coefficients` has one per vector, and `rho` one value.
struct SupportVectorMachine {
  enum class Kernel { linear, polynomial, rbf, sigmoid };
  /// How scores are computed from the pairs' decision values for more than two classes.
  enum class Scores {
    votes_first,  ///< votes, plus (n - 1 - i) / n for the i-th label: ties go to the first
    votes_sums    ///< votes, plus s / (3 |s| + 3) for the sum s of the class's decision values
  };

  Kernel kernel = Kernel::rbf;
  int degree = 0;    ///< for polynomial: (gamma <v, x> + coef0)^degree
  double gamma = 0;  ///< for polynomial, sigmoid, and rbf: exp(-gamma |v - x|^2)
  double coef0 = 0;  ///< for polynomial and sigmoid
  Scores scores = Scores::votes_first;

  std::size_t inputs = 0;           ///< values per row
  std::vector<std::size_t> starts;  ///< of each vector's values, and a last one: their number
  std::vector<std::uint32_t> columns;
  std::vector<double> values;  ///< nonzero values
  /// (classes - 1) x vectors: for a vector of the i-th label, row j - 1 is for the pair with a
  /// later label j, and row j for the pair with an earlier label j.
  std::vector<double> coefficients;
  std::vector<double> rho;  ///< for each pair (i, j), i < j: the decision value is sum - rho
  /// Whether the number says how usual a row is: negative for a novel one (one-class machine).
  bool one_class = false;
  std::vector<std::int32_t> labels;  ///< classes in the machine's order
  std::vector<std::size_t> counts;   ///< number of vectors per label, in that order

  std::size_t classes() const noexcept { return labels.size(); }
  bool predicts_number() const noexcept { return labels.empty(); }
  std::size_t vectors() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
};

/// An optional interface of solvers that learn such a machine. `semblance export --to libsvm` asks
/// for it.
class SupportVectors {
 public:
  virtual ~SupportVectors();
  /// Throws Error with one sentence if the parameters do not lead to such a machine.
  virtual SupportVectorMachine support_vectors() const = 0;
};

/// An optional interface of similarities that are LIBSVM kernels. Solvers that are SupportVectors
/// ask their kernel for it, across plugins.
class SupportVectorKernel {
 public:
  virtual ~SupportVectorKernel();
  /// Fills in the kernel, and the bases as vectors. Throws Error if the parameters do not allow
  /// that.
  virtual void describe(SupportVectorMachine& machine) const = 0;
};

/// A machine in LIBLINEAR's form: one linear function per class, a single one for the second of two
/// classes, or, with 0 classes, the one of a number that it predicts.
struct LiblinearMachine {
  std::string solver = "L2R_L2LOSS_SVC";  ///< LIBLINEAR's name of the training method
  std::size_t inputs = 0;
  std::size_t classes = 0;
  double bias = 1;              ///< the constant appended to a row's values; 0: none
  std::vector<double> weights;  ///< one vector per function: inputs, then the constant's weight

  std::size_t functions() const noexcept { return weights.size() / (inputs + 1); }
};

/// An optional interface of solvers that learn such a machine. `semblance export` writes it as it
/// is; other linear machines it derives from their formula.
class LinearWeights {
 public:
  virtual ~LinearWeights();
  virtual LiblinearMachine linear_machine() const = 0;
};

/// An optional interface of solvers for machines that another program trained: `semblance import`
/// asks the solvers for it. nodes() gives the nodes of a pipeline, as below `nodes:`, with the
/// machine's parameters: a source `data` for the other program's files, and the solver `svm`.
/// take() is called after bind(), in place of train(). It throws Error if the machine does not fit.
class TakesSupportVectors {
 public:
  virtual ~TakesSupportVectors();
  virtual std::string nodes(const SupportVectorMachine& machine) const = 0;
  virtual void take(const SupportVectorMachine& machine) = 0;
};
class TakesLiblinearMachine {
 public:
  virtual ~TakesLiblinearMachine();
  virtual std::string nodes(const LiblinearMachine& machine) const = 0;
  virtual void take(const LiblinearMachine& machine) = 0;
};

}  // namespace semblance
