// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "latent/weighting.hpp"
#include "model_matrix.hpp"
#include "problem.hpp"

namespace semblance::ml3 {

/// Samples between two progress checks of a training.
inline constexpr std::size_t samples_a_piece = 4096;

/// The options of one run of Algorithm 2.
struct DescentOptions {
  double lambda = 1e-5;    ///< of the step 1 / (lambda (s + s0))
  double s0 = 0;           ///< above 0: the first step must leave something of W
  double radius = 0;       ///< of the ball that W is scaled back to
  std::size_t batch = 64;  ///< samples whose products are computed together
};

/// The steps' statistics of the samples, each before its own update.
struct DescentOutcome {
  std::size_t steps = 0;
  std::size_t errors = 0;       ///< samples whose own score was not above all others
  double losses = 0;            ///< sum of the hinge losses of (9b), weighted
  std::size_t updates = 0;      ///< steps with a loss
  std::size_t projections = 0;  ///< steps after which W was scaled back to the ball
};

/// Algorithm 2 of ML3: stochastic subgradient descent on
///
///     lambda / 2 |W|^2 + 1/n sum u_i max(0, 1 + max over y != y_i of s_W(x_i, y) - beta_i .
///     W_(y_i) x_i)
///
/// with the step u_i / (lambda (s + s0)), where u_i is the weight of the sample, with projection
/// onto the ball |W| <= radius and the average of all iterates. W is a scalar times a matrix, so
/// that shrinking is free; |W|^2 is updated incrementally; the average costs one scalar per step
/// and one more update.
///
/// Products are computed for a batch of samples at a time, from the W before the batch; each
/// sample's products are then corrected for the updates in between, by the inner products of the
/// batch's samples. So a batch of any size gives the iterates of Algorithm 2, except for rounding.
///
/// The result does not depend on the number of threads.
class Descent {
 public:
  /// Continues from `w`. `average`, if given, receives the mean of the iterates.
  Descent(const Problem& problem, const DescentOptions& options, Weighting& weighting,
          ModelMatrix& w, ModelMatrix* average, const Surroundings& surroundings);
  ~Descent();

  /// One step for each sample of `order`; may be called again. False if it was stopped.
  bool run(std::span<const std::uint32_t> order);

  /// The same in parts: makes steps for the samples from `first` on, at least up to `end` and then
  /// to the end of a batch. Returns the position reached, which is before `end` after a stop. A
  /// part that continues the previous one must have the same order, since the next samples have
  /// been taken ahead.
  std::size_t run(std::span<const std::uint32_t> order, std::size_t first, std::size_t end);

  /// Updates `w` and the average; must be the last call.
  DescentOutcome finish();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

/// Throws Error with the arithmetic if a descent with this batch size and this number of weights
/// per sample does not fit into the memory budget. Returns the remaining bytes.
double check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_per_sample,
                    Context& context);

}  // namespace semblance::ml3
