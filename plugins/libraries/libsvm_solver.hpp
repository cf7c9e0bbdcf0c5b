// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/solver.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::solvers {

class LibSvmModel;

/// `solver/libsvm`: the LIBSVM library's C-SVC, as a baseline.
class LibSvm final : public Solver,
                     public ClassWeights,
                     public Exportable,
                     public SupportVectors,
                     public TakesSupportVectors {
 public:
  static Declaration<LibSvm> declare();

  LibSvm();
  ~LibSvm() override;
  LibSvm(LibSvm&&) noexcept;

  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  SupportVectorMachine support_vectors() const override;
  void take(const SupportVectorMachine& machine) override;

 private:
  std::string kernel_ = "rbf";
  double cost_ = 1;
  double gamma_ = 0;
  std::int64_t degree_ = 3;
  double coef0_ = 0;
  double eps_ = 1e-3;
  double cache_mib_ = 100;
  bool shrinking_ = true;

  Layout layout_;
  std::size_t inputs_ = 0;
  std::unique_ptr<LibSvmModel> model_;
};

}  // namespace semblance::solvers
