// SPDX-License-Identifier: MIT
#include "classes/machine_cost_choice.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "classes/cost_path.hpp"
#include "inner_context.hpp"
#include "matrix/shared_kernel.hpp"
#include "semblance/collectives.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/row_parts.hpp"

namespace semblance::kernel {
namespace {

/// The trainings without each of the folds.
class FoldTrainings {
 public:
  FoldTrainings(const MachineTask& task, const SortedSamples& rows, Context& context)
      : task_(task), rows_(rows), context_(context), done_(common::fold_count(task.fold_of)) {}

  std::size_t folds() const noexcept { return done_.size(); }

  /// Trains without a fold, for all costs. Keeps the errors unless it is stopped.
  void train(std::size_t fold, const numerics::KernelSource& source, std::size_t bytes) {
    if (stopped()) return;
    common::InnerContext inner(context_, bytes);
    const std::vector<double> weights = weights_without(fold);
    std::vector<std::uint32_t> held_out;
    Errors errors{{std::vector<double>(task_.costs.size()), 0}, 0};
    for (std::uint32_t place = 0; place < rows_.order.size(); ++place) {
      const std::uint32_t row = rows_.order[place];
      if (task_.fold_of[row] != fold) continue;
      held_out.push_back(place);
      errors.sums.total += task_.weight(row);
    }
    const PathSetting path{
        task_, weights, {task_, rows_, source, task_.options, bytes, inner, false}};
    ClassProblems problems(rows_.starts, {}, task_.one_versus_one);
    try {
      solve_path(path, problems, [&](std::size_t cost, const Solutions& solutions) {
        inner.check_stop();
        const std::vector<char> wrong = misclassified(
            problems, held_out, held_out_values(path.dual, problems, solutions, held_out));
        for (std::size_t k = 0; k < wrong.size(); ++k)
          if (wrong[k] != 0) errors.sums.wrong[cost] += task_.weight(rows_.order[held_out[k]]);
        errors.unconverged += hit_limit(problems, solutions);
      });
    } catch (const Cancelled&) {
      return;
    }
    done_[fold] = std::move(errors);
    context_.progress(static_cast<double>(++finished_), static_cast<double>(folds() + 1));
  }

  bool stopped() const { return context_.stop_requested() != StopReason::none; }

  /// Samples that are not in the fold.
  std::vector<std::uint32_t> others(std::size_t fold) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < task_.fold_of.size(); ++row)
      if (task_.fold_of[row] != fold) rows.push_back(row);
    return rows;
  }

  common::CostChoice choice() const {
    common::CostChoice choice{task_.costs, {}, 0, 0, 0, !task_.weights.empty()};
    common::HeldOutErrors sums{std::vector<double>(task_.costs.size()), 0};
    for (const std::optional<Errors>& fold : done_) {
      if (!fold) continue;
      for (std::size_t k = 0; k < sums.wrong.size(); ++k) sums.wrong[k] += fold->sums.wrong[k];
      sums.total += fold->sums.total;
      choice.trainings += task_.costs.size();
      choice.unconverged += fold->unconverged;
    }
    common::choose(sums, choice);
    return choice;
  }

 private:
  struct Errors {
    common::HeldOutErrors sums;
    std::size_t unconverged = 0;
  };

  std::vector<double> weights_without(std::size_t fold) const {
    std::vector<char> trains;
    for (const std::size_t own : task_.fold_of) trains.push_back(own != fold ? 1 : 0);
    if (task_.weights_of) return task_.weights_of(trains);
    std::vector<double> weights;
    for (std::size_t row = 0; row < trains.size(); ++row)
      weights.push_back(trains[row] != 0 ? task_.weight(row) : 0);
    return weights;
  }

  const MachineTask& task_;
  const SortedSamples& rows_;
  Context& context_;
  std::vector<std::optional<Errors>> done_;  // by fold
  std::atomic<std::size_t> finished_ = 0;
};

}  // namespace

std::vector<double> automatic_costs(const MachineTask& task, const SortedSamples& rows,
                                    Context& context) {
  constexpr int last_decade = 3;
  std::vector<double> totals(2);  // w s(x, x), then w
  try {
    learn_from_samples(task.kernel, rows.rows, rows.order, context);
    rows.set_bases(task.kernel, context);
    const SimilaritySource source(task.kernel, rows, context);
    const RowParts parts(rows.order.size());
    sum_over_parts(context, parts, totals, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t place = parts.first_row(part); place < parts.first_row(part + 1); ++place) {
        FloatMatrix value(1, 1);
        const auto row = static_cast<std::uint32_t>(place);
        source.compute({&row, 1}, place, value.view());
        const double weight = task.weight(rows.order[place]);
        sums[0] += weight * double{value.values[0]};
        sums[1] += weight;
      }
    });
  } catch (const Cancelled&) {  // a stop still requires a model
    return common::cost_decades(1, last_decade);
  }
  return common::cost_decades(totals[0] > 0 ? totals[1] / totals[0] : 1, last_decade);
}

common::CostChoice choose_cost(const MachineTask& task, const SortedSamples& rows,
                               const numerics::KernelSource& source, std::size_t bytes,
                               Context& context) {
  if (task.leave_one_out) return choose_cost_leaving_one_out(task, rows, source, bytes, context);
  FoldTrainings trainings(task, rows, context);
  const std::size_t each = comfortable_bytes(ClassProblems(rows.starts, {}, task.one_versus_one));
  const std::size_t at_once =
      std::clamp<std::size_t>(bytes / each, 1, std::min(context.threads(), trainings.folds()));
  std::atomic<std::size_t> next = 0;
  context.parallel_for(at_once, [&](std::size_t) {
    for (std::size_t fold; (fold = next++) < trainings.folds();)
      trainings.train(fold, source, bytes / at_once);
  });
  return trainings.choice();
}

common::CostChoice choose_cost_learning(const MachineTask& task, const SortedSamples& rows,
                                        Context& context) {
  FoldTrainings trainings(task, rows, context);
  for (std::size_t fold = 0; fold < trainings.folds() && !trainings.stopped(); ++fold) {
    task.kernel.bind(rows.layout);
    const KernelMatrix matrix = kernel_matrix(task, rows, trainings.others(fold), context);
    const RetainingSource shared(*matrix.source, rows.order.size(), matrix.bytes_left(context));
    trainings.train(fold, shared.source(), shared.bytes_left());
  }
  return trainings.choice();
}

}  // namespace semblance::kernel
