// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "semblance/samples.hpp"

namespace semblance {

class Similarity;

/// An optional interface of similarities that can learn a parameter, such as a width, from samples
/// before they have bases. A machine whose bases are some of its training samples then compares
/// with the parameter that all of these gave, in training and afterwards. Without this call such a
/// similarity learns from its bases, and Similarity::learns_from_bases() is true.
class LearnsFromSamples {
 public:
  virtual ~LearnsFromSamples();

  /// Whether s(b, x) depends on no bases other than b once learn_from_samples() has been called.
  virtual bool samples_suffice() const noexcept = 0;

  /// Learns from the rows, or from the chosen ones, after bind() and before set_bases(), which then
  /// learns nothing. Collective.
  virtual void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                                  Context& context) = 0;
};

/// Lets a similarity learn from the rows, or from the chosen ones, if it can. Collective.
void learn_from_samples(Similarity& similarity, const Rows& rows,
                        std::span<const std::uint32_t> chosen, Context& context);

/// Whether s(b, x) depends on bases other than b even if it could learn from samples before.
bool needs_all_bases(const Similarity& similarity) noexcept;

/// The variance of all values of the rows, or of the chosen ones, about their common mean, in
/// double; the zeros of sparse rows count. Exactly 0 if all values are equal. It does not depend on
/// the number of threads or ranks. Collective.
double variance_of_values(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context);

/// The same of rows that the caller has: not collective.
double variance_of_values(MatrixView rows, Context& context);

}  // namespace semblance
