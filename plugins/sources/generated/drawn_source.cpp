// SPDX-License-Identifier: MIT
#include "generated/drawn_source.hpp"

#include <algorithm>
#include <utility>

#include "rows/memory_limit.hpp"
#include "rows/row_dataset.hpp"

namespace semblance::sources {
namespace {

/// The rows of an opened data set, of which each can be drawn at any time.
struct DrawnRows {
  Outline outline;
  DrawnShape shape;
  RowSeeds seeds;
  DrawRow draw = nullptr;

  std::size_t label(std::size_t row) const {
    return shape.classes.empty() ? 0 : place(row) % shape.classes.size();
  }
  Random stream(std::size_t row) const {
    return Random::stream(row < outline.train_rows ? seeds.train : seeds.test, place(row));
  }
  /// The number of values that a row's stream gives first.
  std::size_t size(Random& random) const {
    if (!shape.shortest) return shape.layout.size();
    const std::size_t more = random.below(shape.layout.width - *shape.shortest + 1);
    return shape.layout.depth * (*shape.shortest + more);
  }
  double fill(std::size_t row, std::span<float> values) const {
    Random random = stream(row);
    if (shape.shortest) size(random);
    return draw(label(row), random, values);
  }
  std::size_t bytes_per_value() const {
    const LayoutKind kind = shape.layout.kind;
    return kind == LayoutKind::image || kind == LayoutKind::string ? 1 : sizeof(float);
  }

 private:
  /// Counted from the first training sample, or from the first test sample.
  std::size_t place(std::size_t row) const {
    return row < outline.train_rows ? row : row - outline.train_rows;
  }
};

/// Calls body(row, block's scratch row) for all rows, several at a time.
template <class Body>
void for_each_row(const DrawnRows& rows, Context& context, const Body& body) {
  const std::size_t count = rows.outline.rows();
  context.parallel_for(block_count(count), [&](std::size_t block) {
    context.check_stop();
    std::vector<float> scratch(rows.shape.layout.size());
    const std::size_t last = std::min(count, (block + 1) * block_rows);
    for (std::size_t row = block * block_rows; row < last; ++row) body(row, scratch);
  });
}

/// Only labels are in memory.
class UnstoredRows final : public Dataset {
 public:
  UnstoredRows(DrawnRows rows, Context& context) : rows_(std::move(rows)) {
    labels_.resize(rows_.outline.rows());
    for_each_row(rows_, context, [&](std::size_t row, std::span<float> scratch) {
      labels_[row] = static_cast<std::int32_t>(rows_.shape.alternates ? double(rows_.label(row))
                                                                      : rows_.fill(row, scratch));
    });
  }

  const Outline& outline() const noexcept override { return rows_.outline; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) rows_.fill(first + i, {out.row(i), out.cols});
  }
  std::size_t bytes() const noexcept override { return labels_.size() * sizeof(std::int32_t); }

 private:
  DrawnRows rows_;
  std::vector<std::int32_t> labels_;
};

template <class T>
std::unique_ptr<Dataset> stored(const DrawnRows& rows, const WantedRows& wanted, Context& context) {
  const Outline& outline = rows.outline;
  const std::size_t count = outline.rows(), width = rows.shape.targets.size();
  const HeldRows held(wanted, count);
  RaggedRows<T> drawn;
  for (std::size_t row = 0; row < count; ++row) {
    Random random = rows.stream(row);
    const bool here = wanted.contains(static_cast<std::int64_t>(row));
    drawn.offsets.push_back(drawn.offsets.back() + (here ? rows.size(random) : 0));
  }
  drawn.values.resize(drawn.offsets.back());
  RowAnswers answers;
  answers.labels.resize(count, -1);
  answers.targets = {outline.targets, std::vector<double>(count * width)};
  for_each_row(rows, context, [&](std::size_t row, std::vector<float>& scratch) {
    if (width == 0) answers.labels[row] = static_cast<std::int32_t>(rows.label(row));
    if (!wanted.contains(static_cast<std::int64_t>(row))) return;
    const auto values = std::span(scratch).first(drawn.size(row));
    const double answer = rows.fill(row, values);
    if (width > 0) answers.targets.values[row] = answer;
    std::ranges::transform(values, drawn.values.begin() + std::ptrdiff_t(drawn.offsets[row]),
                           [](float value) { return static_cast<T>(value); });
  });
  return make_dataset(outline.layout, outline.classes, std::move(answers),
                      Split{outline.train_rows, outline.test_rows, {}},
                      outline.layout.ragged()
                          ? ragged(std::move(drawn))
                          : packed(std::move(drawn.values), outline.layout.size(), held));
}

}  // namespace

std::vector<std::string> numbered_classes(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < count; ++k) names.push_back(std::to_string(k));
  return names;
}

void DrawnSource::check_parameters() const {
  if (train_ + test_ == 0)
    throw Error("'" + std::string(names_.train) + "' and '" + names_.test +
                "' are both 0, so there are no " + names_.things);
}

/// Rows whose targets are drawn with their values are all drawn.
bool RowByRowSource::selects_rows() const {
  const DrawnShape shape = this->shape();
  return shape.stored && shape.targets.empty() && !shape.layout.ragged();
}

Outline RowByRowSource::sizes(const DrawnShape& shape) const {
  const std::size_t of_each = per_class() ? shape.classes.size() : 1;
  Outline outline{shape.layout, of_each * static_cast<std::size_t>(train_),
                  of_each * static_cast<std::size_t>(test_), shape.classes};
  outline.targets = shape.targets;
  return outline;
}

Outline RowByRowSource::outline(Context& context) const {
  DrawnRows rows{sizes(shape()), shape(), {}};
  if (!rows.shape.layout.ragged()) return rows.outline;
  Random random = context.random();
  rows.seeds = RowSeeds(random);
  for (std::size_t row = 0; row < rows.outline.rows(); ++row) {
    Random own = rows.stream(row);
    rows.outline.values += rows.size(own);
  }
  return rows.outline;
}

std::unique_ptr<Dataset> RowByRowSource::open(Context& context) const {
  DrawnRows rows{sizes(shape()), shape(), {}};
  Random random = context.random();
  rows.draw = drawer(random, rows.seeds);
  if (!rows.shape.stored) return std::make_unique<UnstoredRows>(std::move(rows), context);
  const WantedRows own = selects_rows() ? wanted() : WantedRows();
  const std::size_t here = own.count(0, rows.outline.rows());
  check_fits(double(here) * double(rows.shape.layout.size()) * double(rows.bytes_per_value()),
             std::to_string(here) + " rows", "generated", "", context);
  return rows.bytes_per_value() == 1 ? stored<std::uint8_t>(rows, own, context)
                                     : stored<float>(rows, own, context);
}

}  // namespace semblance::sources
