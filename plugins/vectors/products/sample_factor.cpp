// SPDX-License-Identifier: MIT
#include "products/sample_factor.hpp"

#include <cmath>
#include <optional>

#include "semblance/error.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/parameters.hpp"

namespace semblance::vectors {
namespace {

constexpr const char* saved_name = "scale";

/// Kernel values are computed with the factor as float32.
bool usable(double factor) {
  const auto rounded = static_cast<float>(factor);
  return rounded > 0 && std::isnormal(rounded);
}

}  // namespace

void SampleFactor::bind_factor(const Layout& layout) {
  columns_ = layout.size();
  if (const std::optional<double> number = number_given(given_)) factor_ = *number;
  if (given_ == "auto") factor_ = 1 / static_cast<double>(columns_);
}

void SampleFactor::take_scale(double variance) {
  factor_ = variance == 0 ? 1 : 1 / (static_cast<double>(columns_) * variance);
  if (!usable(factor_))
    throw Error("'scale' is 1 / (" + std::to_string(columns_) + " columns * the variance " +
                to_text(variance) +
                " of all values), which float32 cannot hold; scale the samples "
                "(normalizer/zscore), or give a number instead");
}

void SampleFactor::learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                                      Context& context) {
  if (given_ != "scale") return;
  take_scale(variance_of_values(rows, chosen, context));
  from_samples_ = true;
}

void SampleFactor::learn_factor(MatrixView bases, Context& context) {
  if (factor_from_bases()) take_scale(variance_of_values(bases, context));
}

void SampleFactor::copy_factor(const SampleFactor& other) {
  given_ = other.given_;
  columns_ = other.columns_;
  factor_ = other.factor_;
  from_samples_ = true;
}

void SampleFactor::save_factor(StateWriter& state) const {
  if (given_ == "scale") state.number(saved_name, factor_);
}

void SampleFactor::load_factor(const StateReader& state) {
  if (given_ != "scale") return;
  factor_ = state.number(saved_name);
  from_samples_ = true;
  if (!usable(factor_))
    throw Error("the saved scale is " + to_text(factor_) +
                ", not a number above 0; train the model again");
}

}  // namespace semblance::vectors
