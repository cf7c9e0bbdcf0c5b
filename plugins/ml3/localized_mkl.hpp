// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "localized_svm.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"

namespace semblance::ml3 {

/// `solver/localized_mkl`: SVMs with locally combined linear kernels.
class LocalizedMkl final : public Solver, public LocalModels, public ClassWeights {
 public:
  static Declaration<LocalizedMkl> declare();

  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  std::size_t local_models() const noexcept override { return static_cast<std::size_t>(kernels_); }
  /// A kernel's share is its gate in the machine of the class.
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 private:
  /// The stored part of a LocalizedSvm.
  struct Machine {
    VectorColumns columns;  ///< of the gates, then the kernels' weights
    double bias = 0;
  };
  static Machine kept(const LocalizedSvm& machine);
  std::size_t machine_count() const { return classes_ == 2 ? 1 : classes_; }
  std::vector<LocalizedSvm> train_machines(const TrainingSet& training, Context& context) const;
  void report_machines(const std::vector<LocalizedSvm>& machines, const TrainingSet& training,
                       Report& report, Context& context) const;
  void for_each_row(MatrixView in, const Machine& machine,
                    const std::function<void(std::size_t, std::span<const double>,
                                             std::span<const double>)>& body) const;
  void check_trained(MatrixView in) const;

  std::int64_t kernels_ = 10;
  double cost_ = 1;
  double tolerance_ = 1e-3;
  std::int64_t iterations_ = 50;
  double least_gain_ = 1e-3;

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<Machine> machines_;  // of the second of two classes, or of each class
};

}  // namespace semblance::ml3
