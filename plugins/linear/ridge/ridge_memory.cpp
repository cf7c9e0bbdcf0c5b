// SPDX-License-Identifier: MIT
#include "ridge/ridge_memory.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::linear {
namespace {

std::string mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

}  // namespace

void check_ridge_memory(std::size_t n, std::size_t bytes, std::string_view what,
                        const RidgeData& data, const Context& context) {
  const std::size_t scratch = data.scratch_bytes(context.threads());
  if (bytes + scratch <= context.memory_budget()) return;
  throw MemoryError("the products of " + std::to_string(n) + " " + std::string(what) +
                    " and their factors take " + mebibytes(bytes) + ", and blocks of rows " +
                    mebibytes(scratch) + ", but " + mebibytes(context.memory_budget()) +
                    " are allowed; raise --memory, or use fewer columns (normalizer/pca) or rows");
}

void throw_dependent(double penalty) {
  throw Error("the penalty " + to_text(Value(penalty)) +
              " is lost in rounding beside columns that depend on each other; raise it, or remove "
              "such columns");
}

}  // namespace semblance::linear
