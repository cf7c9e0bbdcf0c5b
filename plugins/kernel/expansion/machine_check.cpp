// SPDX-License-Identifier: MIT
#include "expansion/machine_check.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "semblance/plain_check.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {
namespace {

/// The number of samples to check. Their kernel values by definition, which take about twenty times
/// as long each, are a small part of the training cost; small problems check more, up to a quarter
/// of all.
std::size_t sampled_rows(const Similarity& kernel, std::size_t rows, std::size_t vectors) {
  constexpr double share = 1.0 / 2000, free_operations = 1e6;
  const auto most = static_cast<double>(std::clamp<std::size_t>(rows / 4, 32, 256));
  const double row = static_cast<double>(vectors) * std::max(1.0, kernel.operations());
  const double wanted = std::max(share * static_cast<double>(rows), free_operations / row);
  return static_cast<std::size_t>(std::clamp(wanted, 1.0, most));
}

/// The results of one checked row.
struct RowCheck {
  double error = 0;  ///< of kernel values
  double scale = 0;  ///< the largest of them
  std::optional<RowViolation> violation = {};
};

class Sample {
 public:
  Sample(const CheckedMachine& machine, const RowJudge& judge, const SortedSamples& rows,
         MatrixView vectors)
      : machine_(machine),
        judge_(judge),
        places_(drawn_sample(rows.order.size(),
                             sampled_rows(machine.kernel, rows.order.size(), vectors.rows))),
        samples_(rows.values_at(places_)),
        centre_(rows.centre),
        vectors_(vectors) {}

  std::vector<RowCheck> check(Context& context) const {
    const std::size_t size = rows_at_once();
    std::vector<RowCheck> checks(places_.size());
    context.parallel_for((checks.size() + size - 1) / size, [&](std::size_t block) {
      const std::size_t first = block * size, count = std::min(size, checks.size() - first);
      context.check_stop();
      FloatMatrix fast(count, vectors_.rows);
      machine_.kernel.apply(samples_.view().rows_range(first, count), fast.view(), context);
      for (std::size_t i = 0; i < count; ++i)
        checks[first + i] = check_row(first + i, std::as_const(fast).view().row_span(i), context);
    });
    return checks;
  }

 private:
  /// The measure takes several rows of few values in the time of one.
  std::size_t rows_at_once() const {
    constexpr std::size_t most = 16, values = 16384;
    return std::clamp<std::size_t>(values / std::max<std::size_t>(1, vectors_.rows), 1, most);
  }

  /// `fast`: the sample's kernel values as the measure gives them.
  RowCheck check_row(std::size_t i, std::span<const float> fast, Context& context) const {
    context.check_stop();
    const MatrixView sample = samples_.view().rows_range(i, 1);
    KernelValues values{{fast.begin(), fast.end()}, fast};
    RowCheck check;
    if (machine_.kernel.abilities().compares_plainly) {
      machine_.kernel.compare_plainly(vectors_, sample, values.exact.data());
      for (std::size_t j = 0; j < fast.size(); ++j) {
        const double apart = std::abs(double{fast[j]} - values.exact[j]);
        check.error = std::max(check.error, std::isnan(apart) ? HUGE_VAL : apart);
        check.scale = std::max(check.scale, std::abs(values.exact[j]));
      }
      double own = 0;
      machine_.kernel.compare_plainly(sample, sample, &own);
      check.scale = std::max(check.scale, std::abs(own));
    }
    if (!machine_.optimal) return check;
    if (!centre_.empty()) multiply_about_centre(sample, values.exact);
    check.violation = judge_(places_[i], values);
    return check;
  }

  /// Kernel values about the centre, which belong to the biases of a machine trained about it.
  void multiply_about_centre(MatrixView sample, std::vector<double>& values) const {
    for (std::size_t j = 0; j < values.size(); ++j) {
      values[j] = 0;
      for (std::size_t k = 0; k < centre_.size(); ++k)
        values[j] +=
            (double{vectors_.row(j)[k]} - centre_[k]) * (double{sample.row(0)[k]} - centre_[k]);
    }
  }

  const CheckedMachine& machine_;
  const RowJudge& judge_;
  std::vector<std::size_t> places_;
  FloatMatrix samples_;
  std::span<const float> centre_;
  MatrixView vectors_;
};

/// Checks some hundred rows, each with a few of the vectors.
std::optional<double> check_kernel(const Similarity& kernel, const SortedSamples& rows,
                                   MatrixView vectors, Context& context) {
  const auto places = checked_rows(rows.order.size());
  const FloatMatrix samples = rows.values_at(places);
  const auto error = check_similarity(kernel, vectors, samples.view(), context, lost_kernel_values);
  // About a centre, the machine computes in double.
  if (rows.centre.empty())
    check_differences(kernel, vectors, samples.view(), Differences::of_samples_and_bases, context);
  return error;
}

}  // namespace

void RowViolation::add(double violation, double reported, bool converged) noexcept {
  size = std::max(size, violation);
  if (!converged || !(violation - reported > excess)) return;
  excess = violation - reported;
  seen = reported;
}

double KernelValues::sum(const std::vector<Term>& terms, double unit, RowViolation& row) const {
  double by_definition = 0, as_trained = 0;
  for (const Term& term : terms) {
    by_definition += term.coefficient * exact[term.vector];
    as_trained += term.coefficient * fast[term.vector];
  }
  row.apart = std::max(row.apart, std::abs(by_definition - as_trained) / unit);
  return by_definition;
}

MachineCheck check_rows(const CheckedMachine& machine, const SortedSamples& rows,
                        const RowJudge& judge, Context& context) {
  const FloatMatrix vectors = rows.values_at(machine.places);
  RowCheck worst;
  RowViolation most;  // by its excess
  MachineCheck result;
  const auto of_many = check_kernel(machine.kernel, rows, vectors.view(), context);
  for (const RowCheck& row : Sample(machine, judge, rows, vectors.view()).check(context)) {
    worst.error = std::max(worst.error, row.error);
    worst.scale = std::max(worst.scale, row.scale);
    if (!row.violation) continue;
    result.apart = std::max(result.apart, row.violation->apart);
    result.violation = std::max(result.violation.value_or(0), row.violation->size);
    if (row.violation->excess > most.excess) most = *row.violation;
  }
  if (of_many) {
    const double of_all =
        worst.error > 0 && worst.scale > 0 ? worst.error / worst.scale : worst.error;
    result.error = std::max(of_all, *of_many);
    if (*result.error > largest_check_error) throw_lost_values(lost_kernel_values, *result.error);
  }
  if (most.excess > numerics::largest_excess)
    numerics::throw_false_certificate(most.excess + most.seen, most.seen);
  return result;
}

}  // namespace semblance::kernel
