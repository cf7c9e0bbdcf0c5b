// SPDX-License-Identifier: MIT
#include "libsvm_model.hpp"

#include <limits>
#include <string>

#include "semblance/error.hpp"
#include "sparse_nodes.hpp"

namespace semblance::libraries {
namespace {

std::vector<std::int64_t> widened(const std::vector<int>& from) {
  return {from.begin(), from.end()};
}

std::vector<int> narrowed(const std::vector<std::int64_t>& from) {
  std::vector<int> to;
  to.reserve(from.size());
  for (const std::int64_t x : from) to.push_back(static_cast<int>(x));
  return to;
}

FloatMatrix vectors_of(const svm_model& trained, const Layout& samples) {
  std::vector<std::size_t> sizes(static_cast<std::size_t>(trained.l));
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (const svm_node* node = trained.SV[i]; node->index != -1; ++node) ++sizes[i];
  FloatMatrix vectors = room_for(samples, sizes);
  const MutableMatrixView view = vectors.view();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t k = 0; k < sizes[i]; ++k) {
      const svm_node& node = trained.SV[i][k];
      const auto column = static_cast<std::size_t>(node.index - 1);
      view.row(i)[view.sparse() ? k : column] = static_cast<float>(node.value);  // was a float
      if (view.sparse()) view.columns_of(i)[k] = static_cast<std::uint32_t>(column);
    }
  return vectors;
}

FloatMatrix vectors_of(const SupportVectorMachine& machine, const Layout& samples) {
  if (machine.inputs != samples.size())
    throw Error("the machine is for rows of " + std::to_string(machine.inputs) +
                " values, and these are each a " + describe(samples));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < machine.vectors(); ++i)
    sizes.push_back(machine.starts[i + 1] - machine.starts[i]);
  FloatMatrix vectors = room_for(samples, sizes);
  const MutableMatrixView view = vectors.view();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t k = 0; k < sizes[i]; ++k) {
      const std::size_t from = machine.starts[i] + k, column = machine.columns[from];
      view.row(i)[view.sparse() ? k : column] = static_cast<float>(machine.values[from]);
      if (view.sparse()) view.columns_of(i)[k] = static_cast<std::uint32_t>(column);
    }
  return vectors;
}

}  // namespace

LibSvmModel::LibSvmModel(const svm_model& trained, const Layout& samples)
    : vectors_(vectors_of(trained, samples)) {
  const auto classes = static_cast<std::size_t>(trained.nr_class);
  const std::size_t count = vectors_.rows;
  model_.param = trained.param;
  for (std::size_t c = 0; c + 1 < classes; ++c)
    coefficients_.insert(coefficients_.end(), trained.sv_coef[c], trained.sv_coef[c] + count);
  rho_.assign(trained.rho, trained.rho + classes * (classes - 1) / 2);
  labels_.assign(trained.label, trained.label + classes);
  counts_.assign(trained.nSV, trained.nSV + classes);
  link();
}

LibSvmModel::LibSvmModel(const StateReader& state)
    : vectors_(state.floats("support_vectors")),
      coefficients_(state.doubles("coefficients")),
      rho_(state.doubles("rho")),
      labels_(narrowed(state.integers("labels"))),
      counts_(narrowed(state.integers("counts"))) {
  check_arrays();
  model_.param.kernel_type = static_cast<int>(state.integer("kernel_type"));
  // Any other kernel would use the vectors' values as indices.
  if (model_.param.kernel_type < LINEAR || model_.param.kernel_type > SIGMOID)
    throw Error("the saved LIBSVM model has the unknown kernel " +
                std::to_string(model_.param.kernel_type) + "; train it again");
  model_.param.degree = static_cast<int>(state.integer("degree"));
  model_.param.gamma = state.number("gamma");
  model_.param.coef0 = state.number("coef0");
  link();
}

LibSvmModel::LibSvmModel(const SupportVectorMachine& machine, const Layout& samples)
    : vectors_(vectors_of(machine, samples)),
      coefficients_(machine.coefficients),
      rho_(machine.rho),
      labels_(machine.labels.begin(), machine.labels.end()),
      counts_(machine.counts.begin(), machine.counts.end()) {
  check_arrays();
  model_.param.kernel_type = static_cast<int>(machine.kernel);
  model_.param.degree = machine.degree;
  model_.param.gamma = machine.gamma;
  model_.param.coef0 = machine.coef0;
  link();
}

SupportVectorMachine LibSvmModel::machine() const {
  SupportVectorMachine machine;
  machine.kernel = static_cast<SupportVectorMachine::Kernel>(model_.param.kernel_type);
  machine.degree = model_.param.degree;
  machine.gamma = model_.param.gamma;
  machine.coef0 = model_.param.coef0;
  machine.inputs = inputs();
  machine.starts.assign(1, 0);
  for (const svm_node* row : node_rows_) {
    for (; row->index != -1; ++row) {
      machine.columns.push_back(static_cast<std::uint32_t>(row->index - 1));
      machine.values.push_back(row->value);
    }
    machine.starts.push_back(machine.values.size());
  }
  machine.coefficients = coefficients_;
  machine.rho = rho_;
  machine.labels.assign(labels_.begin(), labels_.end());
  machine.counts.assign(counts_.begin(), counts_.end());
  return machine;
}

void LibSvmModel::check_arrays() const {
  const std::size_t classes = labels_.size();
  bool sound = classes >= 2 && counts_.size() == classes && vectors_.cols > 0 &&
               coefficients_.size() == (classes - 1) * vectors_.rows &&
               rho_.size() == classes * (classes - 1) / 2;
  std::vector<char> seen(classes);  // by label
  for (const int label : labels_) {
    const auto at = static_cast<std::size_t>(label);
    sound = sound && label >= 0 && at < classes && !seen[at];
    if (sound) seen[at] = 1;
  }
  std::size_t total = 0;
  for (const int count : counts_) {
    sound = sound && count >= 0;
    total += static_cast<std::size_t>(count);
  }
  if (!sound || total != vectors_.rows)
    throw Error("the saved LIBSVM model has inconsistent arrays; train it again");
}

void LibSvmModel::save(StateWriter& state) const {
  state.integer("kernel_type", model_.param.kernel_type);
  state.integer("degree", model_.param.degree);
  state.number("gamma", model_.param.gamma);
  state.number("coef0", model_.param.coef0);
  state.floats("support_vectors", vectors_.view());
  state.doubles("coefficients", coefficients_);
  state.doubles("rho", rho_);
  state.integers("labels", widened(labels_));
  state.integers("counts", widened(counts_));
}

void LibSvmModel::link() {
  const std::size_t count = vectors_.rows;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < count; ++i) {
    starts.push_back(nodes_.size());
    append_nodes(vectors_.view(), i, nodes_);
    nodes_.push_back({-1, 0});
  }
  for (const std::size_t start : starts) node_rows_.push_back(nodes_.data() + start);
  const std::size_t classes = labels_.size();
  for (std::size_t c = 0; c + 1 < classes; ++c)
    coefficient_rows_.push_back(coefficients_.data() + c * count);
  model_.nr_class = static_cast<int>(classes);
  model_.l = static_cast<int>(count);
  model_.SV = node_rows_.data();
  model_.sv_coef = coefficient_rows_.data();
  model_.rho = rho_.data();
  model_.label = labels_.data();
  model_.nSV = counts_.data();
  model_.param.svm_type = C_SVC;
  model_.param.nr_weight = 0;
  model_.param.weight_label = nullptr;
  model_.param.weight = nullptr;
}

void LibSvmModel::scores(MatrixView rows, std::size_t i, std::span<float> out) const {
  std::vector<svm_node> row;
  row.reserve(rows.size(i) + 1);
  append_nodes(rows, i, row);
  row.push_back({-1, 0});
  const std::size_t n = classes();
  std::vector<double> decisions(n * (n - 1) / 2);
  svm_predict_values(&model_, row.data(), decisions.data());
  if (n == 2) {
    // The library assigns 0 to its second class.
    const float f =
        decisions[0] > 0
            ? std::max(static_cast<float>(decisions[0]), std::numeric_limits<float>::denorm_min())
            : std::min(static_cast<float>(decisions[0]), -std::numeric_limits<float>::denorm_min());
    out[static_cast<std::size_t>(labels_[0])] = f;
    out[static_cast<std::size_t>(labels_[1])] = -f;
    return;
  }
  std::size_t pair = 0;
  std::fill(out.begin(), out.end(), 0.0F);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      ++out[static_cast<std::size_t>(labels_[decisions[pair++] > 0 ? a : b])];
  // Ties of votes go to the class that the library saw first: expressed by a fraction of a vote.
  for (std::size_t c = 0; c < n; ++c)
    out[static_cast<std::size_t>(labels_[c])] +=
        static_cast<float>(n - 1 - c) / static_cast<float>(n);
}

}  // namespace semblance::libraries
