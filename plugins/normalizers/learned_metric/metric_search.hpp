// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "learned_metric/kernel_machine.hpp"

namespace semblance::normalizers {

/// Which metrics are tried.
struct MetricSearch {
  Profile profile = Profile::laplacian;
  bool diagonal = true, full = true;  ///< a length per column; any symmetric matrix
  std::size_t rounds = 5;             ///< of each, at most
  std::size_t bases = 1000;           ///< of the machines, at most
  std::size_t folds = 5;              ///< around the whole recursion
};

/// What was found.
struct LearnedMetric {
  std::vector<double> root;  ///< R: d lengths, or d x d and symmetric; the metric is R R
  double rate = 1;           ///< the kernel of the machine is exp(-rate times the distance)
  std::size_t round = 0;     ///< of either shape, in all; 0: none is better than no metric, R is 1
                             ///< for each column
  bool full = false;
  double error = 0, unlearned_error = 0;  ///< squared, per held-out row, with and without it
  std::vector<double> relevance;          ///< of the columns: the diagonal of R R, of sum 1
  std::vector<double> deviations;         ///< of the relevance over the folds; empty without
};

/// Learns a metric by the recursion of Radhakrishnan, Beaglehole, Pandit and Belkin (Science 383,
/// 2024): a kernel machine is trained, and the mean outer product of its gradients, which says in
/// which directions it changes, becomes the metric of the next one. Full metrics begin at the
/// best diagonal one or at none. The round with the lowest squared error on held-out rows is taken,
/// or an earlier one if it collapses on all rows; two rounds without a lower error end the
/// recursion. No metric is always a candidate; below 100 rows another must be better by more than a
/// standard error.
LearnedMetric learn_metric(const MetricData& data, const MetricSearch& search, Context& context);

}  // namespace semblance::normalizers
