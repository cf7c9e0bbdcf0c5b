// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rows/row_facts.hpp"
#include "rows/table_source.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// An array that says something of samples, which are in another one: a value or a row for each.
class FactArray {
 public:
  virtual ~FactArray() = default;

  virtual std::size_t rows() const noexcept = 0;
  /// Values per row.
  virtual std::size_t cols() const noexcept = 0;
  /// Throws DataError about the array, or about one of its rows, counted from 0.
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
  [[noreturn]] virtual void fail_row(std::size_t row, const std::string& what) const = 0;

  /// Calls take(row, text) for the value of each row: a text, or a whole number in digits; empty if
  /// it is missing. `what` is its name in messages.
  using TakeText = std::function<void(std::size_t row, std::string_view text)>;
  virtual void each_text(const std::string& what, const TakeText& take, Context& context) = 0;
  /// All numbers; NaN for a missing one. `what`: as before.
  virtual std::vector<double> numbers(const std::string& what, Context& context) = 0;

 protected:
  /// The digits of a whole number; fails for others.
  std::string whole(double number, std::size_t row, const std::string& what) const;
};

/// Where the arrays of labels, targets, weights and groups are; empty: there is none.
using FactPlaces = std::array<std::string, 4>;

/// Appends what is known of so many samples of the array `samples`, from the arrays that `open`
/// opens, with unknown targets if there are `numbers` to predict and no array of them. Throws
/// DataError if an array does not fit.
void append_facts(const FactPlaces& places,
                  const std::function<std::unique_ptr<FactArray>(const std::string&)>& open,
                  std::size_t rows, const std::string& samples, const LabelRule& rule, bool numbers,
                  RowFacts& facts, Context& context);

/// The common base of sources whose samples are an array, and what is known of them other arrays.
/// `Place` says where one is: a Path of a file, or a std::string that names a part of a file.
template <class Place>
class ArraysSource : public TableSource {
 public:
  bool keeps_missing() const override { return missing_ == "keep"; }
  bool gives_weights() const override { return !text(weight_at_).empty(); }
  bool gives_groups() const override { return !text(groups_at_).empty(); }
  TargetKind target_kind() const override {
    if (!text(target_at_).empty()) return TargetKind::numbers;
    return text(label_at_).empty() ? TargetKind::none : TargetKind::classes;
  }
  void check_parameters() const override {
    TableSource::check_parameters();
    if (!text(target_at_).empty() && (!text(label_at_).empty() || !text(test_label_at_).empty()))
      throw Error(
          "'label' names a class and 'target' numbers to predict, but rows have one of the two; "
          "remove one");
    check_test_array("label", label_at_, test_label_at_);
    check_test_array("target", target_at_, test_target_at_);
    check_test_array("groups", groups_at_, test_groups_at_);
  }
  void apply_model(const NewData& data) override {
    refuse_splits(data, {"test_label", "test_target", "test_groups"});
    TableSource::apply_model(data);
  }

 protected:
  /// Adds the former names of the parameters, which are now those of tables.
  template <class T>
  static void declare_former(Declaration<T>& declaration) {
    for (const std::string name : {"label", "target", "weight", "test_label", "test_target"})
      declaration.gone(
          {.written = name + "s",
           .since = "1.0",
           .advice = "write " + name + "; a model that was trained with it is trained again"});
  }

  /// Adds the parameters of arrays; `array` completes "... with one integer or text per row".
  template <class T>
  static void declare_arrays(Declaration<T>& declaration, const std::string& array) {
    const auto add = [&](const char* name, Place ArraysSource::*place, const std::string& what) {
      if constexpr (std::is_same_v<Place, Path>)
        declaration.parameter(name, place, what, optional());
      else
        declaration.parameter(name, place, what);
    };
    declare_former(declaration);
    add("label", &ArraysSource::label_at_,
        array +
            " with one integer or text per row: its class; without it rows have no labels, as "
            "for novelty detectors");
    add("target", &ArraysSource::target_at_,
        array +
            " with one or several numbers to predict per row, for regression, in place of "
            "'label'");
    add("weight", &ArraysSource::weight_at_,
        array +
            " with one number per training row: how much it counts for the solver, 2 like the "
            "row twice, 0 like no row");
    add("groups", &ArraysSource::groups_at_,
        array +
            " with one integer or text per training row, which says which rows belong "
            "together, such as those of one patient: folds and 'test_fraction' never divide "
            "them");
    add("test_label", &ArraysSource::test_label_at_, "as 'label', of the test rows");
    add("test_target", &ArraysSource::test_target_at_, "as 'target', of the test rows");
    add("test_groups", &ArraysSource::test_groups_at_,
        "as 'groups', of the test rows: for intervals of figures, and a warning of groups on both "
        "sides");
    declaration.parameter("missing", &ArraysSource::missing_,
                          "what to do with missing values (NaN): refuse them, or keep them for "
                          "normalizer/impute, of sequences normalizer/impute_series",
                          choices({"refuse", "keep"}));
    declare_split(declaration, true);
    declare_classes(declaration);
  }

  static const std::string& text(const Place& place) {
    if constexpr (std::is_same_v<Place, Path>)
      return place.value;
    else
      return place;
  }
  /// What has the test rows, if they are not set aside: "'test_path'".
  virtual const char* tests() const { return "'test_path'"; }
  virtual bool has_tests() const { return !test_path_.value.empty(); }
  std::string way_to_numbers() const override {
    return "name the array in 'target' in place of 'label'";
  }
  /// Of the rows of path. New data have those that a parameter gives, unless they are the training
  /// data.
  FactPlaces train_places() const {
    const auto known = [&](const char* parameter, const Place& place) {
      const bool has = !model() || model()->path.empty() || model()->gives(parameter);
      return has ? text(place) : std::string();
    };
    return {known("label", label_at_), known("target", target_at_), model() ? "" : text(weight_at_),
            known("groups", groups_at_)};
  }

  Place label_at_, target_at_, weight_at_, groups_at_;
  Place test_label_at_, test_target_at_, test_groups_at_;
  std::string missing_ = "refuse";

 private:
  void check_test_array(const std::string& name, const Place& train, const Place& test) const {
    if (text(test).empty()) return;
    if (!has_tests())
      throw Error("'test_" + name + "' needs " + tests() + "; give both, or remove it");
    if (text(train).empty())
      throw Error("'test_" + name + "' needs '" + name +
                  "', that of the training rows; give both, or remove it");
  }
};

}  // namespace semblance::sources
