// SPDX-License-Identifier: MIT
#include "kernel_functions.hpp"

#include <algorithm>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/plain_check.hpp"

namespace semblance::kernel {
namespace {

void check_trained(bool trained) {
  if (!trained) throw Error("the solver has not been trained");
}

}  // namespace

void KernelFunctions::bind_rows(const Layout& input) {
  layout_ = input;
  if (input.size() == 0) throw Error("samples without values cannot be compared");
  kernel_->bind(input);
}

void KernelFunctions::take_functions(const LearnedFunctions& learned) {
  expansion_ = KernelExpansion(learned.biases, learned.terms, learned.vectors.starts);
  origins_ = {learned.vectors.rows};
  if (!learned.centre.empty()) expansion_.move_centre(*kernel_, learned.centre);
  take_weights();
}

/// Computes the weights of linear functions, if they are not much larger than the vectors.
void KernelFunctions::take_weights() {
  weights_ = {};
  constexpr std::size_t most_values = std::size_t{1} << 22;
  const std::size_t cols = layout_.size();
  if (!is_linear() || functions() > std::max(most_values / cols, vectors())) return;
  const std::vector<float> zero(sums_ == Sums::other ? cols : 0);
  weights_ = expansion_.weights(*kernel_, cols, zero);
}

void KernelFunctions::for_values(
    MatrixView in, Context& context,
    const std::function<void(std::size_t, std::span<const double>)>& take) const {
  check_trained(trained());
  if (in.cols != layout_.size())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(layout_.size()));
  if (weights_.count() > 0) {
    context.check_stop();
    return expansion_.values(in, weights_, take);
  }
  // Enough rows for the speed of a matrix product, and at most four million kernel values.
  constexpr std::size_t most_values = std::size_t{4} << 20, rows_at_once = 240;
  const std::size_t step =
      std::clamp(most_values / std::max(vectors(), functions()), std::size_t{1}, rows_at_once);
  FloatMatrix kernel(std::min(step, in.rows), vectors());
  for (std::size_t first = 0; first < in.rows; first += step) {
    context.check_stop();
    const std::size_t count = std::min(step, in.rows - first);
    const MutableMatrixView block = kernel.view().rows_range(0, count);
    kernel_->apply(in.rows_range(first, count), block, context);
    const std::vector<double> values = expansion_.values(block);
    for (std::size_t i = 0; i < count; ++i)
      take(first + i, std::span(values).subspan(i * functions(), functions()));
  }
}

void KernelFunctions::decide(MatrixView in, std::span<double> out, Context& context) const {
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    std::ranges::copy(values, out.begin() + static_cast<std::ptrdiff_t>(i * functions()));
  });
}

void KernelFunctions::save_functions(StateWriter& state) const {
  check_trained(trained());
  expansion_.save(state);
  origins_.save(state);
  save_kernel(state);
}

void KernelFunctions::load_functions(const StateReader& state, Context& context) {
  KernelExpansion expansion(state);
  check_saved(expansion.count() > 0);
  load_kernel(state, expansion.vectors(), context);
  origins_ = VectorOrigins::load(state, expansion.vectors());
  expansion_ = std::move(expansion);
  take_weights();
}

Formula::Value KernelFunctions::write_functions(Formula& formula, Formula::Value in) const {
  check_trained(trained());
  if (weights_.count() > 0) return expansion_.write(formula, weights_, in);
  return expansion_.write(formula, write_part(*kernel_, "its kernel", formula, in));
}

SupportVectorMachine KernelFunctions::function_on_vectors() const {
  check_trained(trained());
  if (functions() != 1)
    throw Error("it predicts " + std::to_string(functions()) +
                " numbers, and LIBSVM's machines predict one");
  SupportVectorMachine machine = described_kernel();
  machine.coefficients.assign(vectors(), 0);
  for (const KernelExpansion::Group& group : expansion_.groups())
    if (!group.functions.empty())
      std::copy_n(group.coefficients.row(0), group.count,
                  machine.coefficients.begin() + static_cast<std::ptrdiff_t>(group.first));
  machine.rho = {-biases()[0]};
  return machine;
}

void report_machine(const MachineCheck& check, const MachineVectors& vectors,
                    const SortedSamples& rows, Report& report) {
  report_check(check.error, report);
  if (check.violation) report.number("check_violation", *check.violation);
  report_vectors(vectors.support_vectors, rows, report);
}

}  // namespace semblance::kernel
