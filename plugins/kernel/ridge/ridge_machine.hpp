// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "machine/kernel_functions.hpp"
#include "ridge/interval_functions.hpp"
#include "solver_figures.hpp"
#include "tuning/penalty_choice.hpp"

namespace semblance::kernel {

/// Kernel ridge regression. A component derives from KernelMachine<Kind, RidgeMachine>.
class RidgeMachine : public KernelFunctions, public common::PenaltyParameters {
 public:
  RidgeMachine() : KernelFunctions(Sums::zero) {}

 protected:
  template <class T>
  static Declaration<T>& declare_ridge(Declaration<T>& declaration, const char* penalty) {
    declare_penalty(with_kernel(declaration), {penalty});
    return declaration.reports(common::solver_figures(
        {"objective", "gradient_norm", "squared_norm", "check_error", "check_violation",
         "support_vectors", "parameters", "train_seconds"}));
  }

  /// What a training makes beside the fit.
  struct Additions {
    /// Functions on all samples, made of the chosen fit.
    std::function<IntervalFunctions(const KernelRidgeFit&, const IntervalSetting&)> functions = {};
    std::size_t bytes = 0;  ///< that they take
    std::string text = {};  ///< of what takes them: ", and ..."
    std::string remedy =
        "use solver/ridge on the similarities to a part of the rows (basis/random)";
    bool by_likelihood = false;  ///< what chooses the penalty; otherwise leave-one-out errors
  };
  struct Trained {
    KernelRidgeFit fit;
    std::vector<std::size_t> used;  ///< the samples with a weight
    IntervalFunctions added;        ///< without its functions, which have become the machine's
    bool complete = false;          ///< false: stopped before there were any
  };
  /// Learns functions: of a fit for each penalty the best, then the additions. Checks and reports
  /// them.
  Trained learn(const TrainingSet& training, const Additions& additions, Report& report,
                Context& context);
  void load_ridge(const StateReader& state, Context& context) {
    set_sums(sums());
    load_functions(state, context);
  }

 private:
  Sums sums() const noexcept { return intercept_ ? Sums::zero : Sums::other; }
  void check_memory(const SortedSamples& samples, const Additions& additions,
                    const Context& context) const;
  void take_fit(Trained& made, const SortedSamples& samples, const RepairRecord& repair,
                const TrainingSet& training, Report& report, Context& context);
  MachineCheck check_fit(const KernelRidgeFit& fit, const SortedSamples& samples,
                         const RepairRecord& repair, const LearnedFunctions& learned,
                         const TrainingSet& training, bool converged, Context& context) const;
};

}  // namespace semblance::kernel
