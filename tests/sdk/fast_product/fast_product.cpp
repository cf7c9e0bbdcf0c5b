// SPDX-License-Identifier: MIT
#include "fast_product.hpp"

#include "semblance/plugin.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/product.hpp"

namespace fast_product {
using namespace semblance;

Declaration<FastProduct> FastProduct::declare() {
  return Declaration<FastProduct>("similarity/fast_product", "Inner product <b, x>")
      .symmetric()
      .complexity("2d operations per pair for d values; one packed matrix product a block")
      .documentation("The inner product, by the product kernels of the installed library.")
      .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random, count: 40, from: points}
        s:      {is: similarity/fast_product, from: points, bases: bases}
        svm:    {is: solver/linear_svm, from: s}
        test:   {is: evaluator/classification, from: svm})");
}

void FastProduct::set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) {
  if (bases.cols != values_)
    throw Error("the bases have " + std::to_string(bases.cols) + " values, the samples " +
                std::to_string(values_));
  bases_ = numerics::PackedRows(bases);
}

void FastProduct::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  apply_range(in, 0, out, context);
}

void FastProduct::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                              Context& context) const {
  if (in.cols != values_ || out.rows != in.rows || first > bases() || out.cols > bases() - first)
    throw Error("a block of " + std::to_string(in.rows) + " x " + std::to_string(in.cols) +
                " values does not fit " + std::to_string(bases()) + " bases of " +
                std::to_string(values_) + " values");
  context.check_stop();
  numerics::multiply(in, bases_, out, first);
}

void FastProduct::save(StateWriter& state) const { state.floats("bases", bases_.unpack().view()); }

void FastProduct::load(const StateReader& state, Context& context) {
  set_bases(state.floats("bases").view(), {}, context);
}

}  // namespace fast_product

SEMBLANCE_PLUGIN("fast_product", "0.1.0", "MIT", fast_product::FastProduct)
