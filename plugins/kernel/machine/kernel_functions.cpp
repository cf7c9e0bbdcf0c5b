// SPDX-License-Identifier: MIT
#include "machine/kernel_functions.hpp"

#include "prefixed_state.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

constexpr std::string_view kernel_prefix = "kernel_";

void check_trained(const KernelExpansion& functions) {
  if (functions.count() == 0) throw Error("the solver has not been trained");
}

}  // namespace

std::vector<FigureInfo> repair_figures() {
  return {{"eigenvalue_tolerance", "magnitude up to which an eigenvalue counts as zero"},
          {"smallest_eigenvalue", "of the kernel's matrix before its repair"},
          {"largest_eigenvalue", "of the kernel's matrix before its repair"},
          {"negative_eigenvalues", "of the kernel's matrix before its repair", FigureUnit::count}};
}

void KernelFunctions::check_repair() const {
  if (negative_weight_ != 1 && repair_ != "krein")
    throw Error(
        "negative_weight is used by repair: krein only; set that, or remove negative_weight");
}

bool KernelFunctions::knows_spectrum() const {
  return kernel_->positive_semidefinite() && repair_ != "square";
}

std::string KernelFunctions::shared_matrix_problem() const {
  if (kernel_->learns_from_bases())
    return "has a kernel that learns its values from all rows (as with gamma: scale, or width: "
           "auto); give its parameters numbers";
  if (repair_ != "refuse" && !knows_spectrum())
    return "repairs the kernel's matrix of all rows, which would change by what is left out; omit "
           "'repair'";
  return "";
}

bool KernelFunctions::is_linear() const {
  return kernel_->inner_product() && knows_spectrum() && kernel_->abilities().keeps_bases;
}

KernelTask KernelFunctions::kernel_task() const {
  return {*kernel_,         knows_spectrum(), is_linear(), numerics::spectrum_repair(repair_),
          negative_weight_, shared_.get()};
}

std::vector<std::string> KernelFunctions::parameters_of_shared_work() const {
  return {"kernel", "repair", "negative_weight"};
}

std::shared_ptr<SharedWork> KernelFunctions::make_shared_work(std::size_t rows,
                                                              std::size_t bytes) const {
  return SharedKernel::make(rows, bytes, !knows_spectrum(), numerics::spectrum_repair(repair_));
}

void KernelFunctions::use_shared_work(std::shared_ptr<SharedWork> work) {
  shared_ = std::dynamic_pointer_cast<SharedKernel>(std::move(work));
}

SupportVectorMachine KernelFunctions::described_kernel() const {
  const auto* kernel = dynamic_cast<const SupportVectorKernel*>(kernel_.get());
  if (!kernel)
    throw Error(
        "its kernel is not one of LIBSVM's, which are similarity/linear, polynomial and rbf");
  SupportVectorMachine machine;
  kernel->describe(machine);
  return machine;
}

void KernelFunctions::bind_rows(const Layout& input) {
  layout_ = input;
  if (input.size() == 0) throw Error("samples without values cannot be compared");
  kernel_->bind(input);
}

void KernelFunctions::take_functions(std::vector<LearnedFunctions> learned) {
  path_.clear();
  for (LearnedFunctions& own : learned) {
    KernelExpansion expansion(std::move(own.biases), own.terms, own.vectors.starts);
    if (!own.centre.empty()) expansion.move_centre(*kernel_, own.centre);
    path_.push_back({std::move(expansion), {std::move(own.vectors.rows), std::move(own.roles)}});
  }
  machine_ = std::move(path_.back());
  used_ = path_.size() - 1;
  if (path_.size() == 1) path_.clear();
  take_weights();
}

void KernelFunctions::use_cost(std::size_t number) {
  if (number >= costs())
    throw Error("there is no cost " + std::to_string(number) + ", counted from 0; there are " +
                std::to_string(costs()));
  if (path_.empty()) return;
  path_[used_] = std::move(machine_);
  machine_ = std::move(path_[number]);
  used_ = number;
  take_weights();
}

/// Computes the weights of linear functions, if they are not much larger than the vectors.
void KernelFunctions::take_weights() {
  weights_ = {};
  constexpr std::size_t most_values = std::size_t{1} << 22;
  const std::size_t cols = layout_.size();
  if (!is_linear() || functions().count() > std::max(most_values / cols, functions().vectors()))
    return;
  const std::vector<float> zero(sums_ == Sums::other ? cols : 0);
  weights_ = functions().weights(*kernel_, cols, zero);
}

void KernelFunctions::for_values(
    MatrixView in, Context& context,
    const std::function<void(std::size_t, std::span<const double>)>& take) const {
  check_trained(functions());
  if (in.cols != layout_.size())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(layout_.size()));
  if (weights_.count() > 0) {
    context.check_stop();
    return functions().values(in, weights_, take);
  }
  // Enough rows for the speed of a matrix product, and at most four million kernel values.
  constexpr std::size_t most_values = std::size_t{4} << 20, rows_at_once = 240;
  const std::size_t vectors = functions().vectors(), count = functions().count();
  const std::size_t step =
      std::clamp(most_values / std::max(vectors, count), std::size_t{1}, rows_at_once);
  FloatMatrix kernel(std::min(step, in.rows), vectors);
  for (std::size_t first = 0; first < in.rows; first += step) {
    context.check_stop();
    const std::size_t some = std::min(step, in.rows - first);
    const MutableMatrixView block = kernel.view().rows_range(0, some);
    kernel_->apply(in.rows_range(first, some), block, context);
    const std::vector<double> values = functions().values(block);
    for (std::size_t i = 0; i < some; ++i)
      take(first + i, std::span(values).subspan(i * count, count));
  }
}

void KernelFunctions::decide(MatrixView in, std::span<double> out, Context& context) const {
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    std::ranges::copy(values, out.begin() + static_cast<std::ptrdiff_t>(i * values.size()));
  });
}

void KernelFunctions::save_functions(StateWriter& state) const {
  check_trained(functions());
  functions().save(state);
  machine_.origins.save(state);
  common::PrefixedWriter prefixed(state, kernel_prefix);
  kernel_->save(prefixed);
}

void KernelFunctions::load_functions(const StateReader& state, Context& context) {
  KernelExpansion expansion(state);
  check_saved(expansion.count() > 0);
  kernel_->load(common::PrefixedReader(state, kernel_prefix), context);
  if (kernel_->bases() != expansion.vectors())
    throw Error("the saved kernel machine has " + std::to_string(expansion.vectors()) +
                " vectors, its kernel " + std::to_string(kernel_->bases()) + "; train it again");
  VectorOrigins origins = VectorOrigins::load(state, expansion.vectors());
  machine_ = {std::move(expansion), std::move(origins)};
  path_.clear();
  take_weights();
}

Formula::Value KernelFunctions::write_functions(Formula& formula, Formula::Value in) const {
  check_trained(functions());
  if (weights_.count() > 0) return functions().write(formula, weights_, in);
  return functions().write(formula, write_part(*kernel_, "its kernel", formula, in));
}

SupportVectorMachine KernelFunctions::support_vectors() const {
  check_trained(functions());
  if (functions().count() != 1)
    throw Error("it predicts " + std::to_string(functions().count()) +
                " numbers, and LIBSVM's machines predict one");
  SupportVectorMachine machine = described_kernel();
  machine.coefficients = functions().coefficients(0);
  machine.rho = {-functions().biases()[0]};
  return machine;
}

}  // namespace semblance::kernel
