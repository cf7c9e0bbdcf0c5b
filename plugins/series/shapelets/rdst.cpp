// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rocket/minirocket_pooling.hpp"
#include "rocket/minirocket_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"
#include "shapelets/shapelet_bank.hpp"
#include "shapelets/shapelet_distances.hpp"

namespace semblance::series {
namespace {

constexpr std::size_t needed_steps = 2;

/// RDST: how near a series comes to random dilated shapelets, where, and how often.
class Rdst final : public Normalizer {
 public:
  Layout bind(const Layout& input) override {
    check_rocket_layout(input, "rdst", needed_steps);
    channels_ = input.depth;
    return Layout::vector(3 * static_cast<std::size_t>(shapelets_));
  }

  void fit(const TrainingSet& training, Context& context) override {
    const Rows& rows = training.rows;
    const RocketTraining from = rocket_training(training, channels_, 1, needed_steps, context);
    ShapeletTraining series{channels_, std::vector<std::size_t>(from.count), training.labels,
                            from.series};
    for_each_block(rows, context, [&](std::size_t, std::size_t first, MatrixView view) {
      const auto views = bounded_rocket_series(view, channels_, 1, first, RowError::Of::training);
      for (std::size_t i = 0; i < views.size(); ++i) series.steps[first + i] = views[i].steps();
    });
    Random random = context.random();
    bank_ = draw_shapelets({static_cast<std::size_t>(shapelets_), static_cast<std::size_t>(length_),
                            normalized_, alpha_},
                           series, random, context);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    check_rocket_output(in, out, bank_.columns());
    compare_with_shapelets(bank_, bounded_rocket_series(in, channels_, 1, 0, RowError::Of::block),
                           out, [&] { context.check_stop(); });
  }

  void save(StateWriter& state) const override {
    state.integer("length", static_cast<std::int64_t>(bank_.length));
    state.integers("dilations",
                   std::vector<std::int64_t>(bank_.dilations.begin(), bank_.dilations.end()));
    state.integers("normalized",
                   std::vector<std::int64_t>(bank_.normalized.begin(), bank_.normalized.end()));
    const auto row = [](const std::vector<float>& values) {
      return MatrixView{values.data(), 1, values.size(), values.size()};
    };
    state.floats("values", row(bank_.values));
    state.floats("thresholds", row(bank_.thresholds));
  }

  void load(const StateReader& state, Context&) override {
    const auto damaged = [](const std::string& what) {
      throw Error("the saved shapelets are damaged: " + what + "; train the model again");
    };
    ShapeletBank bank;
    bank.channels = channels_;
    const std::int64_t length = state.integer("length");
    if (length < 2 || length > length_)
      damaged("their length is " + std::to_string(length) + ", which is not in 2.." +
              std::to_string(length_));
    bank.length = static_cast<std::size_t>(length);
    const auto dilations = state.integers("dilations"), normalized = state.integers("normalized");
    const auto count = static_cast<std::size_t>(shapelets_);
    bank.values = state.floats("values").values;
    bank.thresholds = state.floats("thresholds").values;
    if (dilations.size() != count || normalized.size() != count ||
        bank.thresholds.size() != count || bank.values.size() != count * bank.values_each())
      damaged("there are " + std::to_string(dilations.size()) + " dilations and " +
              std::to_string(bank.values.size()) + " values for " + std::to_string(count) +
              " shapelets of " + std::to_string(channels_) +
              (channels_ == 1 ? " channel" : " channels"));
    const auto most = static_cast<std::int64_t>((rocket_most_steps - 1) / (bank.length - 1));
    for (std::size_t i = 0; i < count; ++i) {
      if (dilations[i] < 1 || dilations[i] > most)
        damaged("a dilation is " + std::to_string(dilations[i]) + ", which is not in 1.." +
                std::to_string(most));
      if (normalized[i] != 0 && normalized[i] != 1)
        damaged("a shapelet is neither normalized nor not");
    }
    bank.dilations.assign(dilations.begin(), dilations.end());
    bank.normalized.assign(normalized.begin(), normalized.end());
    bank_ = std::move(bank);
  }

  static Declaration<Rdst> declare() {
    return Declaration<Rdst>(
               "normalizer/rdst",
               "How near series come to random dilated shapelets, where, and how often")
        .parameter("shapelets", &Rdst::shapelets_, "shapelets, of three columns each", at_least(1),
                   at_most(1000000))
        .parameter("length", &Rdst::length_,
                   "values of a shapelet, per channel; at most half of the median training series",
                   at_least(2), at_most(1024))
        .parameter("normalized", &Rdst::normalized_,
                   "share of shapelets whose windows are z-normalized", at_least(0), at_most(1))
        .parameter("alpha", &Rdst::alpha_,
                   "least share of a shapelet's values that are not those of another one of its "
                   "series and dilation",
                   at_least(0), at_most(1))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::vector)
        .learns_from({TargetKind::none, TargetKind::classes, TargetKind::numbers})
        .documentation(
            "A shapelet is a piece of a training series: values that are a dilation apart, in all "
            "channels. Its dilation is floor(2^x), x uniform from 0 to log2((n - 1) / (length - "
            "1)), where n is the median number of steps of the training series. It begins at a "
            "random step of a random series, where it does not share more than (1 - alpha) of its "
            "values with another shapelet of the same dilation and kind; where no step is left, "
            "all are allowed again. A window of a series has the length and dilation of the "
            "shapelet, and its distance is the sum of absolute differences (Manhattan). The three "
            "columns are the least distance, the step where the first such window begins, and the "
            "number of windows nearer than a threshold. The threshold lies, at random, between the "
            "5th and the 10th percentile of the distances to another training series of the same "
            "class (any, without classes). If the shapelet is normalized, each window has mean 0 "
            "and standard deviation 1 in each channel; a window of equal values becomes zeros. "
            "Columns are ordered by dilation, shapelets that are not normalized before the "
            "others.\n\n"
            "The seed decides what is drawn; labels decide only about thresholds.\n\n"
            "The distance is that of the authors' programs, from which the published errors are. "
            "With several channels a shapelet has all of them, as in aeon; the authors' first "
            "program drew some. Three things differ from aeon: where it repeats no place and makes "
            "fewer shapelets than wanted, places are repeated; n is the median instead of the "
            "least number of steps, and a series too short for a window is continued by its last "
            "value, instead of refused; a window has no deviation if its values are equal, instead "
            "of one below 1e-8.\n\n"
            "Put normalizer/zscore, then normalizer/mean_norm before a linear machine. The longest "
            "training series needs 2 steps; 65,535 are the most. Values beyond 1e30 are refused.")
        .reference(
            "Guillaume, Vrain and Elloumi: Random Dilated Shapelet Transform: a new approach for "
            "time series shapelets (ICPRAI 2022); distance and channels as in the authors' program "
            "in aeon")
        .complexity(
            "apply: length x steps x channels absolute differences per shapelet and series, 16 at "
            "a time with AVX-512, 8 with AVX2; fit: the same for one series")
        .random()
        .example(R"(
        series: {is: source/warped_series}
        maps:   {is: normalizer/rdst, shapelets: 200, from: series}
        scaled: {is: normalizer/zscore, from: maps}
        unit:   {is: normalizer/mean_norm, from: scaled}
        svm:    {is: solver/linear_svm, C: 1, from: unit}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::int64_t shapelets_ = 10000;
  std::int64_t length_ = 11;
  double normalized_ = 0.8;
  double alpha_ = 0.5;
  std::size_t channels_ = 1;
  ShapeletBank bank_;
};

// enough for the shortest shapelet

}  // namespace

ComponentEntry declare_rdst() { return Rdst::declare().entry(); }

}  // namespace semblance::series
