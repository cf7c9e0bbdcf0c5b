// SPDX-License-Identifier: MIT
#include "kernel_choice.hpp"

#include "prefixed_state.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

constexpr std::string_view kernel_prefix = "kernel_";

}  // namespace

KernelChoice::~KernelChoice() = default;

void KernelChoice::check_repair() const {
  if (negative_weight_ != 1 && repair_ != "krein")
    throw Error(
        "negative_weight is used by repair: krein only; set that, or remove negative_weight");
}

bool KernelChoice::knows_spectrum() const {
  return kernel_->positive_semidefinite() && repair_ != "square";
}

bool KernelChoice::is_linear() const {
  return kernel_->inner_product() && knows_spectrum() && kernel_->abilities().keeps_bases;
}

KernelTask KernelChoice::kernel_task() const {
  return {*kernel_,         knows_spectrum(), is_linear(), numerics::spectrum_repair(repair_),
          negative_weight_, shared_.get()};
}

std::vector<std::string> KernelChoice::parameters_of_shared_work() const {
  return {"kernel", "repair", "negative_weight"};
}

std::shared_ptr<SharedWork> KernelChoice::make_shared_work(std::size_t rows,
                                                           std::size_t bytes) const {
  return SharedKernel::make(rows, bytes, !knows_spectrum(), numerics::spectrum_repair(repair_));
}

void KernelChoice::use_shared_work(std::shared_ptr<SharedWork> work) {
  shared_ = std::dynamic_pointer_cast<SharedKernel>(std::move(work));
}

SupportVectorMachine KernelChoice::described_kernel() const {
  const auto* kernel = dynamic_cast<const SupportVectorKernel*>(kernel_.get());
  if (!kernel)
    throw Error(
        "its kernel is not one of LIBSVM's, which are similarity/linear, polynomial and rbf");
  SupportVectorMachine machine;
  kernel->describe(machine);
  return machine;
}

void KernelChoice::save_kernel(StateWriter& state) const {
  common::PrefixedWriter prefixed(state, kernel_prefix);
  kernel_->save(prefixed);
}

void KernelChoice::load_kernel(const StateReader& state, std::size_t vectors, Context& context) {
  kernel_->load(common::PrefixedReader(state, kernel_prefix), context);
  if (kernel_->bases() != vectors)
    throw Error("the saved kernel machine has " + std::to_string(vectors) +
                " vectors, its kernel " + std::to_string(kernel_->bases()) + "; train it again");
}

}  // namespace semblance::kernel
