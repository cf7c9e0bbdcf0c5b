// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mini_batch.hpp"
#include "panels.hpp"

namespace semblance::ml3 {

/// A change of one class's models by a sample of a batch: rows += factors * x.
struct Update {
  std::size_t position = 0;  ///< in the batch
  std::size_t label = 0;
  std::span<const float> factors;  ///< one per model
  double before = 0;               ///< sum of the scales before it, for the average
};

/// The updates of a batch.
struct Updates {
  explicit Updates(std::size_t classes) : by_class(classes) {}
  void add(const Update& update);
  void clear();
  bool empty() const noexcept { return count == 0; }

  std::size_t count = 0;
  std::vector<std::vector<Update>> by_class;  ///< in their order
  std::vector<std::size_t> classes;           ///< that have updates
};

/// V, where W = a V, and the sums for the average, in stored form, in panels shared by tasks.
class UpdatedModels {
 public:
  /// Takes the rows of `v`, with zero sums if `averages`.
  /// With an `order` of the models of a class, each model of all classes is followed by the next.
  UpdatedModels(const Problem& problem, const ModelMatrix& v, bool averages,
                std::span<const std::uint32_t> order, const Surroundings& surroundings);

  /// Whether tasks share products with this number of samples.
  bool shares(std::size_t samples) const noexcept;

  /// Applies the updates by these samples, then multiplies with `next`, which must be prepared,
  /// unless it is null. Works row by row of V, so that V is read from memory once per batch.
  void update_and_multiply(const Updates& updates, const MiniBatchRows& samples,
                           const MiniBatchRows* next, MutableMatrixView z);
  /// The same with an order of models, for samples whose values are their weights: multiplies
  /// chunks with their users() only. Products with models without a weight are 0.
  void update_and_multiply(const Updates& updates, const MiniBatchRows& samples, MiniBatch& next,
                           MutableMatrixView z);

  /// The positions of a batch's samples that have a weight for one of a chunk's models.
  std::vector<std::size_t> users(std::size_t chunk, const MiniBatch& batch) const;

  const Panels& v() const noexcept { return v_; }
  bool averages() const noexcept { return sums_.has_value(); }

  ModelMatrix v_as_given() const { return as_given(v_); }
  ModelMatrix sums_as_given() const { return as_given(*sums_); }

  /// Multiplies V by factor; `scales` is the sum of the scales added to the sums since their start.
  void multiply_in(double factor, double scales);
  /// Turns the sums into the average of the iterates.
  void average(double scales, double steps);
  void forget_sums() { sums_.reset(); }

 private:
  /// The position of a row of W.
  std::size_t by_model(std::size_t row) const noexcept {
    return places_[row % problem_.models] * problem_.classes + row / problem_.models;
  }
  Panels panels(const ModelMatrix& w) const;
  ModelMatrix as_given(const Panels& panels) const;
  void sort_by_class(ModelMatrix& models) const;
  void multiply_used(std::size_t chunk, MiniBatch& next, MutableMatrixView z) const;
  void apply_by_model(std::size_t chunk, const Updates& updates, const MiniBatchRows& samples);
  void apply_by_model(std::size_t chunk, std::size_t panel, const Updates& updates,
                      const MiniBatchRows& samples);
  void apply(std::size_t chunk, const Updates& updates, const MiniBatchRows& samples);
  void apply_to_sums(std::size_t chunk, std::size_t panel, const Updates& updates,
                     const MiniBatchRows& samples, std::span<const std::size_t> positions,
                     float* factors);

  const Problem& problem_;
  const Surroundings& surroundings_;
  const std::span<const std::uint32_t> order_;
  std::vector<std::size_t> places_;  // of the models in the order
  Panels v_;
  std::optional<Panels> sums_;
};

}  // namespace semblance::ml3
