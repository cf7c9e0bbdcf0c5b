// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel/kernel_machine.hpp"
#include "kernel/machine_check.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/kept_bases.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::numerics {
struct DualSolution;
}

namespace semblance::solvers {

struct ClassProblems;
struct RepairRecord;
struct SortedRows;

/// `solver/kernel_svm`: C-SVC with hinge loss on any similarity measure.
class KernelSvm final : public Solver,
                        public ClassWeights,
                        public Exportable,
                        public SupportVectors {
 public:
  static Declaration<KernelSvm> declare();

  void check_parameters() const override;
  /// True if the training needs only kernel values that depend on two samples each, not the whole
  /// kernel matrix.
  bool distributes() const override;
  Exchange exchange(const LearningSize& size) const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  SupportVectorMachine support_vectors() const override;

 private:
  bool one_versus_one() const noexcept { return multiclass_ == "one_versus_one"; }
  /// Whether the kernel is positive semi-definite by construction and needs no repair.
  bool knows_spectrum() const;
  bool is_linear() const;
  void take_functions();
  std::vector<double> row_costs(const TrainingSet& training, const SortedRows& rows) const;
  bool fits_everywhere(const SortedRows& rows, Context& context) const;
  void learn(const TrainingSet& training, Report& report, Context& context);
  /// The samples with a coefficient, and their total number of values.
  struct SupportVectors {
    std::size_t rows = 0;
    std::size_t values = 0;
    MachineCheck check = {};  ///< empty for a machine that was stopped
  };
  /// Builds the model.
  SupportVectors keep(const ClassProblems& problems, const std::vector<Opponents>& pairs,
                      const std::vector<numerics::DualSolution>& solutions, const SortedRows& rows,
                      const RepairRecord& repair, Context& context);

  std::unique_ptr<Similarity> kernel_;
  double cost_ = 1;
  std::string multiclass_ = "one_versus_one";
  std::string repair_ = "refuse";
  double negative_weight_ = 1;
  double tolerance_ = 1e-3;
  bool shrinking_ = false;
  std::int64_t max_iterations_ = 10'000'000;

  Layout layout_;
  KernelMachine machine_;
  Vectors<double> functions_;  // for a linear kernel: the weights of each problem
};

}  // namespace semblance::solvers
