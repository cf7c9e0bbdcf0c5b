// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "libsvm_choice.hpp"
#include "libsvm_model.hpp"
#include "semblance/report.hpp"

namespace semblance::libraries {

/// The library's regression and one-class machines: one function for each target number.
class LibSvmFunctions : public LibSvmChoice {
 protected:
  /// Learns from the chosen training samples one function for each list of their targets (ones for
  /// a one-class machine), one after the other, and reports the sums of their figures.
  void train_functions(const TrainingSet& training, std::span<const std::uint32_t> chosen,
                       svm_parameter settings, std::vector<std::vector<double>> targets,
                       Report& report, Context& context);

  std::size_t functions() const noexcept { return models_.size(); }
  void bind_rows(const Layout& input);
  /// out(i, t) = the value of function t at row i.
  void apply_functions(MatrixView in, MutableMatrixView out, Context& context) const;
  void save_functions(StateWriter& state) const;
  void load_functions(const StateReader& state);

 private:
  std::size_t inputs_ = 0;
  std::vector<std::unique_ptr<LibSvmModel>> models_;
};

}  // namespace semblance::libraries
