// SPDX-License-Identifier: MIT
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/similarity.hpp"

namespace semblance::vectors {
namespace {

/// The samples are rows of a similarity matrix with one column a training sample: s(b, x) = value
/// (x, training sample of b).
class Precomputed final : public Similarity {
 public:
  static Declaration<Precomputed> declare() {
    return Declaration<Precomputed>("similarity/precomputed",
                                    "Similarities given as the samples' own values")
        .inexpensive()
        .columns_are_rows()
        .documentation(
            "Each sample is its row of a similarity matrix: one column per row of the file that "
            "training rows come from, in that order; a file of test rows (test_path) has the same "
            "columns. The columns of the bases are used, whichever rows a source or a "
            "cross-validation sets aside. The matrix may also be a similarity map of the same "
            "pipeline whose bases are all training rows (basis/all): so several machines share one "
            "costly measure, `svm: {is: solver/kernel_svm, kernel: {is: similarity/precomputed}, "
            "from: map}`. Samples with a different number of values are refused. The matrix may be "
            "indefinite and need not be symmetric.")
        .complexity("one copied value per pair")
        .example(R"(
        matrix: {is: source/csv, path: similarities.csv, label: class, test_path: test_similarities.csv}
        bases:  {is: basis/index, per_class: 5, from: matrix}
        s:      {is: similarity/precomputed, from: matrix, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  void set_bases(MatrixView, std::span<const std::int64_t> indices, Context&) override {
    choose({indices.begin(), indices.end()});
  }

  std::size_t bases() const noexcept override { return columns_.size(); }
  double operations() const noexcept override { return 1; }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    if (in.cols != width_ || out.rows != in.rows || out.cols != columns_.size())
      throw Error("cannot take " + std::to_string(columns_.size()) + " columns of " +
                  std::to_string(in.rows) + " rows of " + std::to_string(in.cols) +
                  " similarities into " + std::to_string(out.rows) + "x" +
                  std::to_string(out.cols) + " results; rows of " + std::to_string(width_) +
                  " are expected");
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < columns_.size(); ++j)
        out.row(i)[j] = in.row(i)[static_cast<std::size_t>(columns_[j])];
  }

  void save(StateWriter& state) const override { state.integers("columns", columns_); }
  void load(const StateReader& state, Context&) override { choose(state.integers("columns")); }

 private:
  void prepare(const Layout& input) override {
    if (input.ragged())
      throw Error(
          "each sample is a " + describe(input) +
          ", not a row of a matrix; put feature/dense before it where most similarities are 0");
    width_ = input.size();
  }

  void choose(std::vector<std::int64_t> columns) {
    if (columns.empty()) throw Error("there are no bases to compare with; choose at least one");
    for (const std::int64_t column : columns)
      if (column < 0 || static_cast<std::size_t>(column) >= width_)
        throw Error("basis row " + std::to_string(column) + " has no column: the matrix has " +
                    std::to_string(width_) + "; it must have one column per training row");
    columns_ = std::move(columns);
  }

  std::size_t width_ = 0;
  std::vector<std::int64_t> columns_;
};

}  // namespace

ComponentEntry declare_precomputed() { return Precomputed::declare().entry(); }

}  // namespace semblance::vectors
