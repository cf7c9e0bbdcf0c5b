// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/shared_work.hpp"
#include "semblance/support_vectors.hpp"
#include "training_matrix.hpp"

namespace semblance::kernel {

/// The common part of kernel machines: the parameters `kernel`, `repair` and `negative_weight`. A
/// component derives from it besides its kind, declares them by with_kernel() and with_repair(),
/// and calls check_repair() in check_parameters(). Trainings of the same samples share the kernel
/// matrix, as far as kernel_matrix() makes it.
class KernelChoice : public SharesWork {
 public:
  ~KernelChoice() override;

  std::string name_of_shared_work() const override { return "kernel values"; }
  std::vector<std::string> parameters_of_shared_work() const override;
  std::shared_ptr<SharedWork> make_shared_work(std::size_t rows, std::size_t bytes) const override;
  void use_shared_work(std::shared_ptr<SharedWork> work) override;

 protected:
  /// Throws Error if `negative_weight` is set and the repair does not use it.
  void check_repair() const;

  /// Whether the kernel is positive semi-definite by construction and needs no repair.
  bool knows_spectrum() const;
  /// Whether the kernel is the inner product of rows that it stores. A machine is then a linear
  /// function.
  bool is_linear() const;
  KernelTask kernel_task() const;
  const std::string& repair_choice() const noexcept { return repair_; }

  /// The kernel with its bases as vectors, in LIBSVM's form. Throws Error if it is none of its
  /// kernels.
  SupportVectorMachine described_kernel() const;

  void save_kernel(StateWriter& state) const;
  /// Throws Error if the saved kernel does not have this many bases.
  void load_kernel(const StateReader& state, std::size_t vectors, Context& context);

  std::unique_ptr<Similarity> kernel_;

 private:
  template <class T>
  friend Declaration<T>& with_kernel(Declaration<T>& declaration);
  template <class T>
  friend Declaration<T>& with_repair(Declaration<T>& declaration);

  std::string repair_ = "refuse";
  double negative_weight_ = 1;
  std::shared_ptr<SharedKernel> shared_;
};

/// Declares the parameter `kernel` of a component T that derives from KernelChoice.
template <class T>
Declaration<T>& with_kernel(Declaration<T>& declaration) {
  return declaration.parameter("kernel", &KernelChoice::kernel_, "the similarity measure",
                               default_component("similarity/rbf"));
}

/// Declares the parameters `repair` and `negative_weight`, and the figures of a repair.
template <class T>
Declaration<T>& with_repair(Declaration<T>& declaration) {
  return declaration
      .parameter("repair", &KernelChoice::repair_, "what to do about an indefinite kernel",
                 choices({"refuse", "clip", "flip", "shift", "square", "krein"}))
      .parameter("negative_weight", &KernelChoice::negative_weight_,
                 "for the repair krein: weight m of |f-|^2 beside |f+|^2", above(0))
      .reports({"eigenvalue_tolerance", "magnitude up to which an eigenvalue counts as zero"})
      .reports({"smallest_eigenvalue", "of the kernel's matrix before its repair"})
      .reports({"largest_eigenvalue", "of the kernel's matrix before its repair"})
      .reports(
          {"negative_eigenvalues", "of the kernel's matrix before its repair", FigureUnit::count});
}

}  // namespace semblance::kernel
