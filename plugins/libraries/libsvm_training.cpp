// SPDX-License-Identifier: MIT
#include "libsvm_choice.hpp"

#include <cmath>
#include <mutex>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::libraries {
namespace {

int kernel_type(const std::string& name) {
  if (name == "linear") return LINEAR;
  if (name == "polynomial") return POLY;
  if (name == "sigmoid") return SIGMOID;
  return RBF;
}

std::mutex library_mutex;
std::string library_text;
void keep_text(const char* text) { library_text += text; }

}  // namespace

LibSvmChoice::~LibSvmChoice() = default;

svm_parameter LibSvmChoice::settings_for(std::size_t inputs) const {
  svm_parameter settings{};
  settings.kernel_type = kernel_type(kernel_);
  settings.degree = static_cast<int>(degree_);
  settings.gamma = gamma_ > 0 ? gamma_ : 1 / static_cast<double>(inputs);
  settings.coef0 = coef0_;
  settings.cache_size = cache_mib_;
  settings.eps = eps_;
  settings.shrinking = shrinking_;
  return settings;
}

SparseNodes<svm_node> LibSvmChoice::nodes_of(const TrainingSet& training, Context& context) const {
  const auto cache = static_cast<std::size_t>(cache_mib_ * (1 << 20));
  return {training.rows, 0, cache + training.rows.rows() * 10 * sizeof(double), "LIBSVM", context};
}

ModelPointer run_library(const svm_problem& data, const svm_parameter& settings,
                         LibraryOutput& output) {
  if (const char* complaint = svm_check_parameter(&data, &settings)) throw Error(complaint);
  const std::lock_guard lock(library_mutex);
  library_text.clear();
  svm_set_print_string_function(keep_text);
  ModelPointer trained(svm_train(&data, &settings));
  output.text = std::move(library_text);
  return trained;
}

double kernel_of_itself(const svm_parameter& settings, std::span<const float> x) {
  double square = 0;
  for (const float value : x) square += double{value} * value;
  switch (settings.kernel_type) {
    case LINEAR:
      return square;
    case POLY:
      return std::pow(settings.gamma * square + settings.coef0, settings.degree);
    default:
      return 1;
  }
}

}  // namespace semblance::libraries
