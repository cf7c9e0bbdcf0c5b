// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model_drift.hpp"
#include "model_matrix.hpp"
#include "problem.hpp"
#include "subspace.hpp"
#include "weighting.hpp"

namespace semblance::ml3 {

/// Scores that a screen made unnecessary.
struct ScreenCounts {
  std::size_t classes = 0;   ///< of samples, that were looked at
  std::size_t computed = 0;  ///< of which all products were computed
  std::size_t samples = 0;   ///< that were looked at
  std::size_t passed = 0;    ///< of which none was
};

/// Tells which samples surely have no loss, and which classes cannot be another's rival, without
/// most of the products, so that a descent with a screen ends with the bits of one without.
///
/// Of each sample and class it keeps what the coordinates in a subspace left over of the products
/// when they were last computed. They are now within |x outside| |model's movement outside since|
/// of that and the present products of the coordinates, which are far fewer than values (Cauchy and
/// Schwarz, a model at a time), and within what all sums involved round.
///
/// It outlives descents on the same problem. Models are in panels with a chunk a class, and in
/// their units, which Descent scales.
class Screen {
 public:
  /// Whether there are so many rows, and so many values in each, that it saves time.
  static bool pays(const Problem& problem);

  /// One of at most `bytes`, or none where these are too few or there are other ranks.
  static std::optional<Screen> make(const Problem& problem, double bytes,
                                    const Surroundings& surroundings);

  explicit Screen(const Problem& problem, std::size_t directions, const Surroundings& surroundings);

  /// Another descent begins, whatever it begins with.
  void begin() { shrink(1); }
  /// The models, and their coordinates here, are multiplied with `factor`.
  void shrink(double factor);
  /// What is known of the models is brought up to date where it is time.
  void look_at(const Panels& v);
  /// Of the models of a class; to be updated as they are, with coordinates_of() the samples.
  Panels& coordinates() noexcept { return *coordinates_; }
  const float* coordinates_of(std::size_t sample) const noexcept { return x_.row(sample); }
  void move(std::size_t sample, std::size_t label, std::span<const float> factors);

  /// Looks at a batch of samples, W being scale times the models.
  void screen(std::span<const Sample> samples, const Weighting& weighting, double scale);
  /// W is so many times the models now.
  void set_scale(double scale) noexcept { scale_ = scale; }

  /// Of the batch's samples: whether there is surely no loss.
  bool passes(std::size_t position) const noexcept;
  /// Whether the score of another class may matter.
  bool wanted(std::size_t position, std::size_t label) const noexcept;
  /// What judge() finds for the own class is at least this.
  void raise_least_own(std::size_t position, double to) noexcept;
  /// Products of the models, W not yet scaled, have changed: the score of a class has risen by no
  /// more than `rise`, or the own one fallen by no more than `fall`.
  void widen(std::size_t position, std::size_t label, double rise, double fall) noexcept;

  /// The products of the models of a class with a sample, as they were when it was screened.
  void keep(std::size_t position, std::size_t label, std::span<const float> z);
  void count_computed(std::size_t classes) noexcept { counts_.computed += classes; }

  const ScreenCounts& counts() const noexcept { return counts_; }

 private:
  void project_rows(const Surroundings& surroundings);
  void screen_one(std::size_t position, const Weighting& weighting, double error);
  std::size_t label(const Sample& sample) const noexcept {
    return static_cast<std::size_t>(problem_.labels[sample.number]);
  }
  /// Of a product, relative to the lengths of its two sides.
  double product_error() const noexcept;

  const Problem& problem_;
  const Surroundings& surroundings_;
  Subspace subspace_;
  ModelMatrix x_;                    // coordinates of all rows
  std::vector<float> lengths_;       // of all rows, at least
  std::vector<float> outsides_;      // of what is outside the subspace, at least
  ModelMatrix rest_;                 // of the products of all rows, when they were last computed
  std::vector<std::uint32_t> seen_;  // when that was, of all rows and classes; 0: never
  ModelDrift drift_;
  std::optional<Panels> coordinates_;
  bool begun_ = false;
  std::size_t moves_ = 0;         // since the last measurement
  std::size_t batches_ = 0;       // the same
  std::size_t measurements_ = 0;  // since the last anchor

  std::vector<Sample> samples_;  // the batch
  ModelMatrix near_;             // products of its coordinates
  double scale_ = 1;
  std::vector<double> least_own_, most_;  // of the samples and classes, before W is scaled
  ScreenCounts counts_;
};

}  // namespace semblance::ml3
