// SPDX-License-Identifier: MIT
#include "arrays/array_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "rows/target_numbers.hpp"
#include "semblance/handed_over.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance::sources {
namespace {

[[noreturn]] void refuse_row(std::size_t row, const std::string& what) {
  throw Error("row " + std::to_string(row) + " (from 0) " + what);
}

void check_not_infinite(MatrixView rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (std::ranges::any_of(rows.row_span(i), [](float value) { return std::isinf(value); }))
      refuse_row(first + i, "has an infinite value; remove the row, or replace the value");
}

/// Values that lie in memory as they are read.
class ValuesInPlace final : public RowValues {
 public:
  ValuesInPlace(std::vector<float> values, std::size_t columns)
      : values_(std::move(values)), columns_(columns) {}

  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i)
      std::copy_n(values_.data() + (first + i) * columns_, columns_, out.row(i));
  }
  std::size_t bytes() const noexcept override { return values_.size() * sizeof(float); }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override {
    return {values_.data() + first * columns_, count, columns_, columns_};
  }

 private:
  std::vector<float> values_;
  std::size_t columns_;
};

/// The values of rows that a program has handed over.
class HandedValues final : public RowValues {
 public:
  explicit HandedValues(std::shared_ptr<const Dataset> data) : data_(std::move(data)) {}

  std::size_t size(std::size_t row, const Layout&) const override { return data_->values(row); }
  void read(std::size_t first, MutableMatrixView out) const override { data_->read(first, out); }
  std::size_t bytes() const noexcept override { return data_->bytes(); }
  std::string name(std::size_t row) const override { return data_->name(row); }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override {
    return data_->in_place(first, count);
  }

 private:
  std::shared_ptr<const Dataset> data_;
};

template <class T>
std::vector<T> list_of(std::span<const T> given, std::size_t rows, std::size_t per_row,
                       const std::string& name) {
  if (!given.empty() && given.size() != rows * per_row)
    throw Error("there are " + std::to_string(given.size()) + " " + name + "s for " +
                std::to_string(rows) + " rows; give " +
                (per_row == 1 ? "one " + name : std::to_string(per_row) + " " + name + "s") +
                " per row");
  return {given.begin(), given.end()};
}

}  // namespace

std::unique_ptr<Dataset> array_rows(std::shared_ptr<const Dataset> data, Split split) {
  Outline outline = data->outline();
  const std::size_t rows = outline.rows(), width = outline.targets.size();
  RowAnswers answers;
  answers.labels = list_of(data->labels(), rows, 1, "label");
  if (outline.classes.empty() || answers.labels.empty()) answers.labels.assign(rows, no_label);
  answers.targets = {outline.targets, list_of(data->targets(), rows, width, "target")};
  if (width > 0 && rows > 0 && answers.targets.values.empty())
    throw Error("there are 0 targets for " + std::to_string(rows) + " rows; give " +
                std::to_string(width) + " per row");
  answers.weights = list_of(data->weights(), rows, 1, "weight");
  answers.groups = list_of(data->groups(), rows, 1, "group");
  for (std::size_t row = 0; row < rows; ++row) answers.numbers.push_back(data->number(row));
  outline.train_rows = split.train_rows;
  outline.test_rows = split.test_rows;
  outline.numbered_rows = split.numbered_rows;
  if (!split.order.empty()) outline.rows_in_place = 0;
  auto values = std::make_unique<HandedValues>(std::move(data));
  return std::make_unique<RowDataset>(std::move(outline), std::move(answers),
                                      std::move(split.order), std::move(values));
}

namespace {

void check_labels(const Dataset& data) {
  const Outline& outline = data.outline();
  const auto classes = static_cast<std::int32_t>(outline.classes.size());
  const std::set<std::string> names(outline.classes.begin(), outline.classes.end());
  if (names.size() != outline.classes.size()) throw Error("two of its classes have the same name");
  const auto labels = data.labels();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int32_t least = i < outline.train_rows && classes > 0 ? 0 : -1;
    if (labels[i] < least || labels[i] >= classes)
      refuse_row(data.number(i), "has the label " + std::to_string(labels[i]) + ", but there are " +
                                     std::to_string(classes) +
                                     " classes: a label is the position of its class, from 0" +
                                     (least < 0 ? "; -1: unknown" : ""));
  }
}

/// The targets of test rows may be unknown.
void check_targets(const Dataset& data, Context& context) {
  const Outline& outline = data.outline();
  const std::vector<std::string>& names = outline.targets;
  TargetNumbers numbers;
  numbers.set_names(names);
  LabelRule rule;
  for (std::size_t i = 0; i < outline.rows(); ++i) {
    if (i == outline.train_rows) rule.missing = MissingLabels::unknown;
    const auto refuse = [&](const std::string& what) {
      refuse_row(data.number(i), "has a target that " + what);
    };
    const auto row = data.targets().subspan(i * names.size(), names.size());
    if (i < outline.train_rows && std::ranges::any_of(row, [](double y) { return std::isnan(y); }))
      refuse_row(data.number(i), "lacks a target; fill it in, or remove the row");
    numbers.add_row(row, rule, refuse);
  }
  // New rows may be close together; the model's training samples were not.
  if (outline.train_rows > 0)
    numbers.check(
        "the program's data", [&](std::size_t k) { return "the target '" + names[k] + "'"; },
        context);
}

}  // namespace

void check_array_rows(const Dataset& data, const Dataset& given, bool keeps_missing,
                      Context& context) {
  const Outline& outline = data.outline();
  if (outline.targets.empty())
    check_labels(data);
  else
    check_targets(data, context);
  const Layout& layout = outline.layout;
  const auto check_block = [&](MatrixView block, std::size_t first) {
    if (keeps_missing)
      check_not_infinite(block, first);
    else
      check_values(block, layout, first);
  };
  context.parallel_for(block_count(outline.rows()), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows;
    const std::size_t count = std::min(block_rows, outline.rows() - first);
    if (const MatrixView rows = given.in_place(first, count); rows.data)
      return check_block(rows, first);
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(given.values(first + i));
    FloatMatrix read = layout.ragged() ? FloatMatrix::ragged(layout.size(), sizes)
                                       : FloatMatrix(count, layout.size());
    given.read(first, read.view());
    check_block(std::as_const(read).view(), first);
  });
}

std::shared_ptr<const Dataset> example_rows() {
  constexpr std::size_t rows = 60;
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  Random random(1);
  for (std::size_t i = 0; i < rows; ++i) {
    labels.push_back(static_cast<std::int32_t>(i % 2));
    values.push_back(static_cast<float>(random.normal() + (i % 2 == 0 ? -1.5 : 1.5)));
    values.push_back(static_cast<float>(random.normal()));
  }
  Outline outline{Layout::vector(2), rows, 0, {"left", "right"}, {"across", "up"}};
  outline.rows_in_place = rows;
  return std::make_shared<RowDataset>(std::move(outline), RowAnswers{std::move(labels)},
                                      std::vector<std::size_t>(),
                                      std::make_unique<ValuesInPlace>(std::move(values), 2));
}

}  // namespace semblance::sources
