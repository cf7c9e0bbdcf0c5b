// SPDX-License-Identifier: MIT
#include "agreement.hpp"

#include <cmath>
#include <numeric>

namespace semblance::evaluators {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Agreement::Agreement(std::span<const double> counts, std::size_t classes, const Context& context)
    : support_(classes), predicted_(classes), hits_(classes) {
  for (std::size_t truth = 0; truth < classes; ++truth) {
    context.check_stop();
    for (std::size_t c = 0; c < classes; ++c) {
      support_[truth] += counts[truth * classes + c];
      predicted_[c] += counts[truth * classes + c];
    }
    hits_[truth] = counts[truth * classes + truth];
    rows_ += support_[truth];
  }
}

double Agreement::precision(std::size_t c) const { return ratio(hits_[c], predicted_[c]); }

double Agreement::recall(std::size_t c) const { return ratio(hits_[c], support_[c]); }

double Agreement::f1(std::size_t c) const {
  return ratio(2 * precision(c) * recall(c), precision(c) + recall(c));
}

double Agreement::balanced_accuracy() const {
  double recalls = 0, present = 0;
  for (std::size_t c = 0; c < support_.size(); ++c) {
    recalls += recall(c);
    present += support_[c] > 0;
  }
  return ratio(recalls, present);
}

double Agreement::macro_f1() const {
  double sum = 0, counted = 0;
  for (std::size_t c = 0; c < support_.size(); ++c) {
    sum += f1(c);
    counted += support_[c] + predicted_[c] > 0;
  }
  return ratio(sum, counted);
}

double Agreement::weighted_f1() const {
  double sum = 0;
  for (std::size_t c = 0; c < support_.size(); ++c) sum += support_[c] * f1(c);
  return ratio(sum, rows_);
}

bool Agreement::correlation_undefined() const {
  const double all = rows_ * rows_;
  return product(support_, support_) == all || product(predicted_, predicted_) == all;
}

double Agreement::matthews_correlation() const {
  if (correlation_undefined()) return 0;
  const double all = rows_ * rows_;
  const double hits = std::accumulate(hits_.begin(), hits_.end(), 0.0);
  const double spread_of_truth = all - product(support_, support_);
  const double spread_of_predicted = all - product(predicted_, predicted_);
  return (hits * rows_ - product(support_, predicted_)) /
         std::sqrt(spread_of_truth * spread_of_predicted);
}

}  // namespace semblance::evaluators
