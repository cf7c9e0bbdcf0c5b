// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "class_rows.hpp"
#include "medoids.hpp"
#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/similarity.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/far_column.hpp"

namespace semblance::bases {
namespace {

/// The number of values of each row.
std::vector<std::size_t> sizes_of(const Rows& rows, std::span<const std::int64_t> chosen) {
  std::vector<std::size_t> sizes;
  sizes.reserve(chosen.size());
  for (const std::int64_t place : chosen)
    sizes.push_back(rows.view(static_cast<std::size_t>(place), 1).size(0));
  return sizes;
}

FloatMatrix gather(const Rows& rows, const Layout& layout, std::span<const std::int64_t> chosen) {
  FloatMatrix gathered = room_for(layout, sizes_of(rows, chosen));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto place = static_cast<std::size_t>(chosen[i]);
    copy_rows(rows.view(place, 1), gathered.view().rows_range(i, 1));
    rows.release(place, 1);
  }
  return gathered;
}

FloatMatrix compare_all(const Similarity& similarity, const FloatMatrix& values, Context& context) {
  // Smaller than the runtime's blocks, so that the few rows of a class keep all threads busy.
  constexpr std::size_t block = 60;
  FloatMatrix result(values.rows, values.rows);
  context.parallel_for((values.rows + block - 1) / block, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block, count = std::min(block, values.rows - first);
    similarity.apply(values.view().rows_range(first, count), result.view().rows_range(first, count),
                     context);
  });
  return result;
}

/// Centres dense rows whose mean is far from 0; other rows do not change.
void subtract_mean(FloatMatrix& values) {
  if (!values.offsets.empty()) return;
  constexpr double far = 16;
  std::vector<double> mean(values.cols);
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t k = 0; k < values.cols; ++k)
      mean[k] += double{values.view().row(i)[k]} / static_cast<double>(values.rows);
  double spread = 0;
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t k = 0; k < values.cols; ++k)
      spread +=
          std::pow(double{values.view().row(i)[k]} - mean[k], 2) / static_cast<double>(values.rows);
  if (!(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0) > far * spread)) return;
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t k = 0; k < values.cols; ++k)
      values.view().row(i)[k] -= static_cast<float>(mean[k]);
}

/// Throws Error if the rounding of similarities is not small relative to the resulting distances.
template <class Column>
void check_exactness(const FloatMatrix& distances, double largest_similarity,
                     const std::string& name, const Column& far_column) {
  constexpr double least_ratio = 100;
  double sum = 0;
  for (const float distance : distances.values) sum += double{std::abs(distance)};
  const double pairs = static_cast<double>(distances.rows) * static_cast<double>(distances.rows);
  const double rounding = 4 * double{std::numeric_limits<float>::epsilon()} * largest_similarity;
  if (sum == 0 || sum / pairs >= least_ratio * rounding) return;
  throw Error("the similarities of class '" + name +
              "' are so large beside what they differ by that float32 loses the distances; most of "
              "it comes from " +
              far_column() + "; subtract the columns' means before it (normalizer/zscore)");
}

void check_memory(const TrainingSet& training, std::span<const std::int64_t> candidates,
                  const std::string& name, const Context& context) {
  const double mebibyte = 1 << 20;
  std::size_t values = candidates.size() * training.layout.size();
  if (training.layout.kind == LayoutKind::sparse) {
    const std::vector<std::size_t> sizes = sizes_of(training.rows, candidates);
    // With their columns, in two orders.
    values = 3 * std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  }
  // The matrix; the rows, and the measure's copy of them.
  const auto count = static_cast<double>(candidates.size());
  const double need = 4.0 * (count * count + 2.0 * static_cast<double>(values));
  if (need <= double(context.memory_budget())) return;
  throw MemoryError("comparing the " + std::to_string(candidates.size()) +
                    " candidates of class '" + name + "' with each other takes " +
                    std::to_string(std::int64_t(need / mebibyte) + 1) + " MiB, but " +
                    std::to_string(std::int64_t(double(context.memory_budget()) / mebibyte)) +
                    " MiB are allowed; lower candidates or raise --memory");
}

/// Kernel k-medoids on a similarity measure, class by class: 'K KMed' of BE-SVM, section 3.4.
class KMedoidsBases final : public Basis {
 public:
  static Declaration<KMedoidsBases> declare() {
    return Declaration<KMedoidsBases>("basis/k_medoids",
                                      "Medoids of each class by kernel k-medoids")
        .parameter("similarity", &KMedoidsBases::similarity_, "measure that compares the rows",
                   default_component("similarity/linear"))
        .parameter("per_class", &KMedoidsBases::per_class_, "medoids of each class", at_least(1))
        .parameter("iterations", &KMedoidsBases::iterations_,
                   "limit on reassignments; they stop when nothing changes", at_least(0))
        .parameter("candidates", &KMedoidsBases::candidates_,
                   "how many of each class's first rows to consider", at_least(1))
        .learns_from({TargetKind::classes})
        .documentation(
            "The distance of two rows is s(a, a) + s(b, b) - s(a, b) - s(b, a), the squared "
            "distance in the kernel's feature space. Starts greedily, then alternates between "
            "assigning rows to medoids and choosing each cluster's medoid; nothing is random. "
            "Class by class, in the order of the classes, ascending within each.")
        .reference("BE-SVM, section 3.4: K KMed; Park and Jun 2009")
        .complexity(
            "n = candidates of a class: n^2 similarities, then per_class n^2 operations; 4 n^2 "
            "bytes, for one class at a time")
        .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/k_medoids, similarity: {is: similarity/rbf, gamma: 10}, per_class: 20, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/mean_norm, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    if (candidates_ < per_class_)
      throw Error("candidates (" + std::to_string(candidates_) + ") must be at least per_class (" +
                  std::to_string(per_class_) + ")");
  }

  bool uses_rows() const override { return true; }

  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override {
    const auto classes = rows_by_class(training, per_class_);
    similarity_->bind(training.layout);
    learn_from_samples(*similarity_, training.rows, {}, context);
    std::vector<std::int64_t> chosen;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      context.check_stop();
      const auto considered = std::min(classes[c].size(), static_cast<std::size_t>(candidates_));
      const auto medoids = select_in_class(training, std::span(classes[c]).first(considered),
                                           training.classes[c], context);
      chosen.insert(chosen.end(), medoids.begin(), medoids.end());
      context.progress(double(c + 1), double(classes.size()));
    }
    return chosen;
  }

  std::size_t count(std::size_t, std::size_t classes) const override {
    return classes * static_cast<std::size_t>(per_class_);
  }

 private:
  std::vector<std::int64_t> select_in_class(const TrainingSet& training,
                                            std::span<const std::int64_t> candidates,
                                            const std::string& name, Context& context) {
    check_memory(training, candidates, name, context);
    FloatMatrix values = gather(training.rows, training.layout, candidates);
    // Distances by inner products ignore a shift, but float32 does not.
    if (similarity_->inner_product()) subtract_mean(values);
    similarity_->set_bases(values.view(), row_numbers(training, candidates), context);
    FloatMatrix matrix = compare_all(*similarity_, values, context);
    double largest = 0;
    for (std::size_t i = 0; i < matrix.rows; ++i)
      largest = std::max(largest, double{std::abs(matrix.view().row(i)[i])});
    distances_from_similarities(matrix.view());
    check_exactness(matrix, largest, name, [&] { return numerics::far_column(values.view()); });
    const Medoids medoids = find_medoids(
        matrix.view(), static_cast<std::size_t>(per_class_), static_cast<std::size_t>(iterations_),
        [&](std::size_t count, const std::function<void(std::size_t)>& body) {
          context.parallel_for(count, [&](std::size_t i) {
            context.check_stop();
            body(i);
          });
        });
    context.log(LogLevel::info, "class '" + name + "': " + std::to_string(per_class_) +
                                    " medoids of " + std::to_string(candidates.size()) +
                                    " rows, cost " + std::to_string(medoids.cost) + " after " +
                                    std::to_string(medoids.iterations) + " iterations" +
                                    (medoids.converged ? "" : ", the limit"));
    std::vector<std::int64_t> rows;
    for (const std::size_t medoid : medoids.rows) rows.push_back(candidates[medoid]);
    return rows;
  }

  std::unique_ptr<Similarity> similarity_;
  std::int64_t per_class_ = 100;
  std::int64_t iterations_ = 20;
  std::int64_t candidates_ = 2000;
};

}  // namespace

ComponentEntry declare_k_medoids() { return KMedoidsBases::declare().entry(); }

}  // namespace semblance::bases
