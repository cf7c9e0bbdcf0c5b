// SPDX-License-Identifier: MIT
#include "arrays/array_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "semblance/handed_over.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"
#include "target_numbers.hpp"

namespace semblance::sources {
namespace {

Outline outline_of(const Outline& all, const Split& split) {
  Outline outline = all;
  outline.train_rows = split.train_rows;
  outline.test_rows = split.test_rows;
  outline.numbered_rows = split.numbered_rows;
  if (!split.order.empty()) outline.rows_in_place = 0;
  return outline;
}

[[noreturn]] void refuse_row(std::size_t row, const std::string& what) {
  throw Error("row " + std::to_string(row) + " (from 0) " + what);
}

void check_not_infinite(MatrixView rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (std::ranges::any_of(rows.row_span(i), [](float value) { return std::isinf(value); }))
      refuse_row(first + i, "has an infinite value; remove the row, or replace the value");
}

}  // namespace

ArrayRows::ArrayRows(std::shared_ptr<const Dataset> data, Split split)
    : data_(std::move(data)),
      outline_(outline_of(data_->outline(), split)),
      order_(std::move(split.order)) {
  const auto given = data_->labels();
  const std::size_t rows = outline_.rows();
  if (!given.empty() && given.size() != rows)
    throw Error("there are " + std::to_string(given.size()) + " labels for " +
                std::to_string(rows) + " rows; give one label per row");
  const bool labelled = !outline_.classes.empty() && !given.empty();
  labels_.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) labels_.push_back(labelled ? given[place(i)] : no_label);
  const auto take = [&](const auto& of_all, std::size_t per_row, auto& own,
                        const std::string& name) {
    if (of_all.empty() && (per_row == 1 || rows == 0)) return;
    if (of_all.size() != rows * per_row)
      throw Error("there are " + std::to_string(of_all.size()) + " " + name + "s for " +
                  std::to_string(rows) + " rows; give " +
                  (per_row == 1 ? "one " + name : std::to_string(per_row) + " " + name + "s") +
                  " per row");
    own.reserve(rows * per_row);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = of_all.subspan(place(i) * per_row, per_row);
      own.insert(own.end(), row.begin(), row.end());
    }
  };
  take(data_->targets(), outline_.targets.size(), targets_, "target");
  take(data_->weights(), 1, weights_, "weight");
  take(data_->groups(), 1, groups_, "group");
}

void ArrayRows::read(std::size_t first, MutableMatrixView out) const {
  for (std::size_t done = 0; done < out.rows;) {
    std::size_t run = 1;  // rows that follow each other are read together
    while (done + run < out.rows && place(first + done + run) == place(first + done) + run) ++run;
    data_->read(place(first + done), out.rows_range(done, run));
    done += run;
  }
}

std::size_t ArrayRows::bytes() const noexcept {
  return data_->bytes() + (labels_.size() + groups_.size()) * sizeof(std::int32_t) +
         order_.size() * sizeof(std::size_t) + (targets_.size() + weights_.size()) * sizeof(double);
}

bool ArrayRows::follow_each_other(std::size_t first, std::size_t count) const noexcept {
  for (std::size_t i = 1; i < count; ++i)
    if (place(first + i) != place(first) + i) return false;
  return true;
}

MatrixView ArrayRows::in_place(std::size_t first, std::size_t count) const noexcept {
  if (count == 0 || (!order_.empty() && !follow_each_other(first, count))) return {};
  return data_->in_place(place(first), count);
}

void ArrayRows::check(bool keeps_missing, Context& context) const {
  if (outline_.targets.empty())
    check_labels();
  else
    check_targets(context);
  const Layout& layout = outline_.layout;
  const std::size_t rows = data_->outline().rows();
  const auto check_block = [&](MatrixView block, std::size_t first) {
    if (keeps_missing)
      check_not_infinite(block, first);
    else
      check_values(block, layout, first);
  };
  context.parallel_for(block_count(rows), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, rows - first);
    if (const MatrixView lying = data_->in_place(first, count); lying.data)
      return check_block(lying, first);
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(data_->values(first + i));
    FloatMatrix read = layout.ragged() ? FloatMatrix::ragged(layout.size(), sizes)
                                       : FloatMatrix(count, layout.size());
    data_->read(first, read.view());
    check_block(std::as_const(read).view(), first);
  });
}

void ArrayRows::check_labels() const {
  const auto classes = static_cast<std::int32_t>(outline_.classes.size());
  const std::set<std::string> names(outline_.classes.begin(), outline_.classes.end());
  if (names.size() != outline_.classes.size()) throw Error("two of its classes have the same name");
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const std::int32_t least = i < outline_.train_rows && classes > 0 ? 0 : -1;
    if (labels_[i] < least || labels_[i] >= classes)
      refuse_row(place(i), "has the label " + std::to_string(labels_[i]) + ", but there are " +
                               std::to_string(classes) +
                               " classes: a label is the position of its class, from 0" +
                               (least < 0 ? "; -1: unknown" : ""));
  }
}

/// The targets of test rows may be unknown.
void ArrayRows::check_targets(Context& context) const {
  const std::vector<std::string>& names = outline_.targets;
  TargetNumbers numbers;
  numbers.set_names(names);
  LabelRule rule;
  for (std::size_t i = 0; i < outline_.rows(); ++i) {
    if (i == outline_.train_rows) rule.missing = MissingLabels::unknown;
    const auto refuse = [&](const std::string& what) {
      refuse_row(place(i), "has a target that " + what);
    };
    const auto row = std::span(targets_).subspan(i * names.size(), names.size());
    if (i < outline_.train_rows && std::ranges::any_of(row, [](double y) { return std::isnan(y); }))
      refuse_row(place(i), "lacks a target; fill it in, or remove the row");
    numbers.add_row(row, rule, refuse);
  }
  // New rows may be close together; the model's training samples were not.
  if (outline_.train_rows > 0)
    numbers.check(
        "the program's data", [&](std::size_t k) { return "the target '" + names[k] + "'"; },
        context);
}

namespace {

/// Two clouds of points in the plane.
class ExampleRows final : public Dataset {
 public:
  ExampleRows() {
    outline_ = {Layout::vector(columns), rows, 0, {"left", "right"}};
    outline_.columns = {"across", "up"};
    outline_.rows_in_place = rows;
    Random random(1);
    for (std::size_t i = 0; i < rows; ++i) {
      labels_.push_back(static_cast<std::int32_t>(i % 2));
      values_.push_back(static_cast<float>(random.normal() + (i % 2 == 0 ? -1.5 : 1.5)));
      values_.push_back(static_cast<float>(random.normal()));
    }
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i)
      std::copy_n(values_.data() + (first + i) * columns, columns, out.row(i));
  }
  std::size_t bytes() const noexcept override { return values_.size() * sizeof(float); }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override {
    return {values_.data() + first * columns, count, columns, columns};
  }

 private:
  static constexpr std::size_t rows = 60, columns = 2;
  Outline outline_;
  std::vector<float> values_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

std::shared_ptr<const Dataset> example_rows() { return std::make_shared<const ExampleRows>(); }

}  // namespace semblance::sources
