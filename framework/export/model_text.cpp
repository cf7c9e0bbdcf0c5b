// SPDX-License-Identifier: MIT
#include "export/model_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

namespace semblance {
namespace {

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format(" {:.17g}", value);
  return text;
}

}  // namespace

const char* name(SupportVectorMachine::Kernel kernel) noexcept {
  constexpr const char* names[] = {"linear", "polynomial", "rbf", "sigmoid"};
  return names[static_cast<std::size_t>(kernel)];
}

std::string libsvm_text(const SupportVectorMachine& machine, const std::vector<int>& labels) {
  using Kernel = SupportVectorMachine::Kernel;
  // LIBSVM says two classes where there is one function.
  const std::size_t count = machine.vectors();
  const std::size_t classes = machine.predicts_number() ? 2 : machine.classes();
  std::string text = fmt::format("svm_type {}\nkernel_type {}\n",
                                 machine.one_class           ? "one_class"
                                 : machine.predicts_number() ? "epsilon_svr"
                                                             : "c_svc",
                                 name(machine.kernel));
  const bool dot = machine.kernel == Kernel::polynomial || machine.kernel == Kernel::sigmoid;
  if (machine.kernel == Kernel::polynomial) text += fmt::format("degree {}\n", machine.degree);
  if (machine.kernel != Kernel::linear) text += fmt::format("gamma {:.17g}\n", machine.gamma);
  if (dot) text += fmt::format("coef0 {:.17g}\n", machine.coef0);
  text += fmt::format("nr_class {}\ntotal_sv {}\nrho{}\n", classes, count, numbers(machine.rho));
  if (!machine.predicts_number()) {
    text += "label";
    for (const std::int32_t label : machine.labels)
      text += fmt::format(" {}", labels[static_cast<std::size_t>(label)]);
    text += "\nnr_sv";
    for (const std::size_t own : machine.counts) text += fmt::format(" {}", own);
    text += "\n";
  }
  text += "SV\n";
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c + 1 < classes; ++c)
      text += fmt::format("{:.17g} ", machine.coefficients[c * count + i]);
    for (std::size_t k = machine.starts[i]; k < machine.starts[i + 1]; ++k)
      text += fmt::format("{}:{:.17g} ", machine.columns[k] + 1, machine.values[k]);
    text += "\n";
  }
  return text;
}

std::string liblinear_text(const LiblinearMachine& machine, const std::vector<int>& labels) {
  const std::size_t functions = machine.functions(), length = machine.inputs + 1;
  std::string text = fmt::format("solver_type {}\nnr_class {}\n", machine.solver,
                                 machine.classes > 0 ? machine.classes : 2);
  if (!labels.empty()) text += "label";
  for (const int label : labels) text += fmt::format(" {}", label);
  if (!labels.empty()) text += "\n";
  text += fmt::format("nr_feature {}\nbias {:.17g}\nw\n", machine.inputs,
                      machine.bias > 0 ? machine.bias : -1.0);
  // The only function of two classes is that of the first.
  const double sign = functions == 1 && machine.classes > 0 ? -1 : 1;
  for (std::size_t k = 0; k < machine.inputs + (machine.bias > 0 ? 1 : 0); ++k) {
    for (std::size_t f = 0; f < functions; ++f)
      text += fmt::format("{:.17g} ", sign * machine.weights[f * length + k]);
    text += "\n";
  }
  return text;
}

std::vector<int> integer_labels(const std::vector<std::string>& classes, bool& own) {
  std::vector<int> labels;
  for (const std::string& name : classes) {
    int value = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), value);
    if (read.ec == std::errc() && read.ptr == name.data() + name.size() &&
        std::to_string(value) == name)
      labels.push_back(value);
  }
  own = labels.size() == classes.size() &&
        std::set<int>(labels.begin(), labels.end()).size() == labels.size();
  if (own) return labels;
  labels.clear();
  for (std::size_t c = 0; c < classes.size(); ++c) labels.push_back(static_cast<int>(c));
  return labels;
}

}  // namespace semblance
