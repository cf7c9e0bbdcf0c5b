// SPDX-License-Identifier: MIT
#pragma once

#include <libsvm/svm.h>

#include <memory>
#include <string>

#include "library_output.hpp"
#include "semblance/declaration.hpp"
#include "semblance/samples.hpp"
#include "sparse_nodes.hpp"

namespace semblance::libraries {

/// The library's kernels and options. A component derives from it besides its kind, and declares
/// the parameters by with_libsvm_kernel() and with_libsvm_options().
class LibSvmChoice {
 public:
  virtual ~LibSvmChoice();

 protected:
  /// The settings for samples of this many values, without the type of the machine.
  svm_parameter settings_for(std::size_t inputs) const;
  /// The samples as the library takes them. Throws Error with the arithmetic if they do not fit.
  SparseNodes<svm_node> nodes_of(const TrainingSet& training, Context& context) const;

 private:
  template <class T>
  friend Declaration<T>& with_libsvm_kernel(Declaration<T>& declaration);
  template <class T>
  friend Declaration<T>& with_libsvm_options(Declaration<T>& declaration);

  std::string kernel_ = "rbf";
  double gamma_ = 0;
  std::int64_t degree_ = 3;
  double coef0_ = 0;
  double eps_ = 1e-3;
  double cache_mib_ = 100;
  bool shrinking_ = true;
};

template <class T>
Declaration<T>& with_libsvm_kernel(Declaration<T>& declaration) {
  return declaration.parameter("kernel", &LibSvmChoice::kernel_, "the kernel k(x, z)",
                               choices({"linear", "polynomial", "rbf", "sigmoid"}));
}

template <class T>
Declaration<T>& with_libsvm_options(Declaration<T>& declaration) {
  return declaration
      .parameter("gamma", &LibSvmChoice::gamma_,
                 "factor of x.z or |x - z|^2 in the kernel; 0: one divided by the columns",
                 at_least(0))
      .parameter("degree", &LibSvmChoice::degree_, "degree of the polynomial kernel", at_least(1),
                 at_most(100))
      .parameter("coef0", &LibSvmChoice::coef0_,
                 "added to gamma x.z in polynomial and sigmoid kernels")
      .parameter("eps", &LibSvmChoice::eps_, "the library's stopping tolerance", above(0))
      .parameter("cache", &LibSvmChoice::cache_mib_, "size of the kernel row cache", unit("MiB"),
                 above(0))
      .parameter("shrinking", &LibSvmChoice::shrinking_, "use the library's shrinking heuristic");
}

struct DestroyModel {
  void operator()(svm_model* m) const { svm_free_and_destroy_model(&m); }
};
using ModelPointer = std::unique_ptr<svm_model, DestroyModel>;

/// Trains, one model at a time: the library's print function and random numbers are global. Throws
/// Error with the library's complaint about the settings.
ModelPointer run_library(const svm_problem& data, const svm_parameter& settings,
                         LibraryOutput& output);

/// k(x, x) of a row with these values.
double kernel_of_itself(const svm_parameter& settings, std::span<const float> x);

}  // namespace semblance::libraries
