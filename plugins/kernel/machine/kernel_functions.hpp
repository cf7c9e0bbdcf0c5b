// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expansion/kernel_expansion.hpp"
#include "expansion/machine_vectors.hpp"
#include "matrix/shared_kernel.hpp"
#include "semblance/context.hpp"
#include "semblance/cost_path.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/declaration.hpp"
#include "semblance/layout.hpp"
#include "semblance/shared_work.hpp"
#include "semblance/support_vectors.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {

/// What all kernel machines are: a few functions on support vectors, which are the bases of their
/// kernel; the parameters `kernel`, `repair` and `negative_weight`. Trainings of the same samples
/// share the kernel matrix, as far as kernel_matrix() makes it. A component derives from
/// KernelMachine and declares these parameters by with_kernel() and with_repair().
class KernelFunctions : public SharesWork,
                        public DecisionValues,
                        public SupportVectors,
                        public Exportable,
                        public CostPath {
 public:
  std::string name_of_shared_work() const override { return "kernel values"; }
  std::vector<std::string> parameters_of_shared_work() const override;
  std::shared_ptr<SharedWork> make_shared_work(std::size_t rows, std::size_t bytes) const override;
  void use_shared_work(std::shared_ptr<SharedWork> work) override;

  std::size_t decision_values() const noexcept override { return functions().count(); }
  void decide(MatrixView in, std::span<double> out, Context& context) const override;
  std::span<const std::uint32_t> vector_rows() const noexcept override {
    return machine_.origins.rows;
  }
  std::span<const VectorRole> vector_roles() const noexcept override {
    return machine_.origins.roles;
  }
  const Similarity& sum_kernel() const override { return *kernel_; }
  std::span<const double> sum_biases() const override { return functions().biases(); }
  std::vector<double> sum_coefficients(std::size_t function) const override {
    return functions().coefficients(function);
  }
  std::vector<Opposed> opposed_classes() const override { return {}; }

  /// The only function as LIBSVM's machine that predicts a number. Throws Error if there are
  /// several, or the kernel is none of LIBSVM's.
  SupportVectorMachine support_vectors() const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return formula.narrow(write_functions(formula, in));
  }
  std::size_t costs() const noexcept override { return std::max(path_.size(), std::size_t{1}); }
  void use_cost(std::size_t number) override;

 protected:
  /// Whether the functions' coefficients each have the sum 0, so that functions of a linear kernel
  /// may be summed about any centre.
  enum class Sums { zero, other };
  explicit KernelFunctions(Sums sums) : sums_(sums) {}
  /// For machines whose parameters decide. Before they learn or load functions.
  void set_sums(Sums sums) noexcept { sums_ = sums; }

  /// Throws Error if `negative_weight` is set and the repair does not use it.
  void check_repair() const;
  /// Whether the kernel is positive semi-definite by construction and needs no repair.
  bool knows_spectrum() const;
  /// Why a kernel matrix of all samples is not that of some of them, as
  /// LeftOutScores::left_out_problem(); empty: it is, row by row.
  std::string shared_matrix_problem() const;
  /// Whether the kernel is the inner product of rows that it stores. A machine is then a linear
  /// function.
  bool is_linear() const;
  KernelTask kernel_task() const;
  const std::string& repair_choice() const noexcept { return repair_; }

  void bind_rows(const Layout& input);
  const KernelExpansion& functions() const noexcept { return machine_.functions; }

  /// The functions of all costs, in increasing order; the last ones are used.
  void take_functions(std::vector<LearnedFunctions> learned);
  /// Adds a constant to the only function.
  void raise_function(double by) { machine_.functions.raise(by); }

  /// Calls take(i, values) with the functions' values at each row of `in`. A row's values do not
  /// depend on other rows.
  void for_values(MatrixView in, Context& context,
                  const std::function<void(std::size_t, std::span<const double>)>& take) const;

  void save_functions(StateWriter& state) const;
  void load_functions(const StateReader& state, Context& context);
  Formula::Value write_functions(Formula& formula, Formula::Value in) const;
  /// The kernel with its bases as vectors, in LIBSVM's form. Throws Error if it is none of its
  /// kernels.
  SupportVectorMachine described_kernel() const;

  std::unique_ptr<Similarity> kernel_;
  Layout layout_;

 private:
  template <class T>
  friend Declaration<T>& with_kernel(Declaration<T>& declaration);
  template <class T>
  friend Declaration<T>& with_repair(Declaration<T>& declaration);

  struct Machine {
    KernelExpansion functions;
    VectorOrigins origins;
  };
  void take_weights();

  std::string repair_ = "refuse";
  double negative_weight_ = 1;
  std::shared_ptr<SharedKernel> shared_;
  Sums sums_;
  Machine machine_;
  Vectors<double> weights_;    // for a linear kernel: the weights of each function
  std::vector<Machine> path_;  // of all costs, if there are several, without the used one
  std::size_t used_ = 0;       // of the path
};

/// A component of a kind whose outputs are the values of its functions.
template <class Kind, class Functions = KernelFunctions>
class KernelMachine : public Kind, public Functions {
 public:
  void check_parameters() const override { this->check_repair(); }
  Layout bind(const Layout& input) override {
    this->bind_rows(input);
    return Layout::vector(this->functions().count());
  }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    common::check_estimates(out, this->functions().count());
    this->for_values(in, context, [&](std::size_t i, std::span<const double> values) {
      for (std::size_t t = 0; t < values.size(); ++t) out.row(i)[t] = static_cast<float>(values[t]);
    });
  }
  void save(StateWriter& state) const override { this->save_functions(state); }
  void load(const StateReader& state, Context& context) override {
    this->load_functions(state, context);
  }

 protected:
  using Functions::Functions;
};

/// Declares the parameter `kernel` of a component T that derives from KernelFunctions, and the
/// samples that it accepts.
template <class T>
Declaration<T>& with_kernel(Declaration<T>& declaration) {
  return declaration.takes_weights()
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence,
                LayoutKind::string, LayoutKind::set, LayoutKind::sparse, LayoutKind::graph,
                LayoutKind::pair})
      .parameter("kernel", &KernelFunctions::kernel_, "the similarity measure",
                 default_component("similarity/rbf"));
}

/// The figures that report_repair() reports.
std::vector<FigureInfo> repair_figures();

/// Declares the parameters `repair` and `negative_weight`, and the figures of a repair.
template <class T>
Declaration<T>& with_repair(Declaration<T>& declaration) {
  return declaration
      .parameter("repair", &KernelFunctions::repair_, "what to do about an indefinite kernel",
                 choices({"refuse", "clip", "flip", "shift", "square", "krein"}))
      .parameter("negative_weight", &KernelFunctions::negative_weight_,
                 "for the repair krein: weight m of |f-|^2 beside |f+|^2", above(0))
      .reports(repair_figures());
}

}  // namespace semblance::kernel
