// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel_choice.hpp"
#include "kernel_expansion.hpp"
#include "machine_check.hpp"
#include "machine_vectors.hpp"
#include "semblance/context.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/layout.hpp"
#include "vector_origins.hpp"

namespace semblance::kernel {

/// Some functions that were learned. The vectors of the terms have become the bases of
/// the kernel.
struct LearnedFunctions {
  std::vector<double> biases;  ///< for a linear kernel about `centre`
  Terms terms;
  MachineVectors vectors;
  std::vector<float> centre;  ///< of the samples; may be empty
};

/// The common part of machines whose output is made from a few functions on support vectors, which
/// are the bases of their kernel: regressors and novelty detectors.
class KernelFunctions : public KernelChoice, public DecisionValues {
 public:
  std::size_t decision_values() const noexcept override { return functions(); }
  void decide(MatrixView in, std::span<double> out, Context& context) const override;
  std::span<const std::uint32_t> vector_rows() const noexcept override { return origins_.rows; }

  const Similarity& sum_kernel() const override { return *kernel_; }
  std::span<const double> sum_biases() const override { return biases(); }
  std::vector<double> sum_coefficients(std::size_t function) const override {
    return expansion_.coefficients(function);
  }
  std::vector<Opposed> opposed_classes() const override { return {}; }

 protected:
  /// Whether the functions' coefficients each have the sum 0, so that functions of a linear kernel
  /// may be summed about any centre.
  enum class Sums { zero, other };
  explicit KernelFunctions(Sums sums) : sums_(sums) {}
  /// For machines whose parameters decide. Before they learn or load functions.
  void set_sums(Sums sums) noexcept { sums_ = sums; }

  void bind_rows(const Layout& input);
  bool trained() const noexcept { return expansion_.count() > 0; }
  std::size_t functions() const noexcept { return expansion_.count(); }
  std::span<const double> biases() const noexcept { return expansion_.biases(); }
  std::size_t vectors() const noexcept { return expansion_.vectors(); }

  void take_functions(const LearnedFunctions& learned);
  /// Adds a constant to the only function.
  void raise_function(double by) { expansion_.raise(by); }

  /// Calls take(i, values) with the functions' values at each row of `in`. A row's values do not
  /// depend on other rows.
  void for_values(MatrixView in, Context& context,
                  const std::function<void(std::size_t, std::span<const double>)>& take) const;

  void save_functions(StateWriter& state) const;
  void load_functions(const StateReader& state, Context& context);
  Formula::Value write_functions(Formula& formula, Formula::Value in) const;
  /// The only function as LIBSVM's machine that predicts a number. Throws Error if there are
  /// several, or the kernel is none of LIBSVM's.
  SupportVectorMachine function_on_vectors() const;

  Layout layout_;

 private:
  void take_weights();

  Sums sums_;
  KernelExpansion expansion_;
  VectorOrigins origins_;
  Vectors<double> weights_;  // for a linear kernel: the weights of each function
};

/// Reports the figures of a check and the vectors.
void report_machine(const MachineCheck& check, const MachineVectors& vectors,
                    const SortedSamples& rows, Report& report);

}  // namespace semblance::kernel
