// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "conformance/checks.hpp"
#include "semblance/source.hpp"

namespace semblance::conformance {
namespace {

/// The number of rows to read from a large data set.
constexpr std::size_t most_rows = 2000;

std::string text_of(const Outline& outline) {
  std::string text = describe(outline.layout) + ", " + std::to_string(outline.train_rows) + " + " +
                     std::to_string(outline.test_rows) + " rows, classes:";
  for (const auto& name : outline.classes) text += " " + name;
  text += ", targets:";
  for (const auto& name : outline.targets) text += " " + name;
  return text;
}

std::vector<std::size_t> sizes_of(const Dataset& data, std::size_t first, std::size_t rows) {
  const Layout& layout = data.outline().layout;
  std::vector<std::size_t> sizes;
  for (std::size_t i = first; i < first + rows; ++i) {
    sizes.push_back(data.values(i));
    require(sizes.back() <= layout.size() && sizes.back() % layout.depth == 0,
            "row " + std::to_string(i) + " has " + std::to_string(sizes.back()) +
                " values, which is no " + describe(layout));
  }
  return sizes;
}

void check_columns(MatrixView rows) {
  for (std::size_t i = 0; rows.sparse() && i < rows.rows; ++i) {
    const auto columns = rows.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      require(columns[k] < rows.cols, "row " + std::to_string(i) + " has a value in column " +
                                          std::to_string(columns[k]) + " of " +
                                          std::to_string(rows.cols));
      require(k == 0 || columns[k - 1] < columns[k],
              "the columns of row " + std::to_string(i) + " do not ascend");
    }
  }
}

FloatMatrix read(const Dataset& data, std::size_t first, std::size_t rows) {
  const Layout& layout = data.outline().layout;
  FloatMatrix values = room_for(layout, sizes_of(data, first, rows));
  std::ranges::fill(values.values, std::numeric_limits<float>::quiet_NaN());
  data.read(first, values.view());
  check_columns(values.view());
  return values;
}

std::size_t rows_read(const Dataset& data) { return std::min(data.outline().rows(), most_rows); }

Outcome source_trial(const Subject& subject, const ComponentConfig& config,
                     const Setting& setting) {
  TrialContext context(setting);
  const auto source = subject.create_as<Source>(config);
  const auto data = source->open(context);
  require(data != nullptr, "open() gives nothing");
  Outcome outcome{read(*data, 0, rows_read(*data)).values, text_of(data->outline())};
  for (const std::int32_t label : data->labels()) outcome.text += " " + std::to_string(label);
  for (const double target : data->targets()) outcome.text += " " + to_text(Value(target));
  return outcome;
}

struct Opened {
  explicit Opened(const Subject& subject)
      : source(subject.create_as<Source>()), data(source->open(context)) {
    require(data != nullptr, "open() gives nothing");
  }
  testing::TestContext context;
  std::unique_ptr<Source> source;
  std::unique_ptr<Dataset> data;
};

void outline(const Subject& subject) {
  Opened opened(subject);
  const std::string announced = text_of(opened.source->outline(opened.context));
  const std::string found = text_of(opened.data->outline());
  require(announced == found,
          "outline() says '" + announced + "', the opened data '" + found + "'");
  require(opened.data->outline().layout.size() > 0, "its samples have no values");
  require(opened.data->outline().rows() > 0, "it has no rows");
  require(opened.data->bytes() > 0, "bytes() is 0 for opened data");
}

void labels(const Subject& subject) {
  const Opened opened(subject);
  const Outline& shape = opened.data->outline();
  const auto given = opened.data->labels();
  require(given.size() == shape.rows(),
          std::to_string(given.size()) + " labels for " + std::to_string(shape.rows()) + " rows");
  const auto classes = static_cast<std::int32_t>(shape.classes.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool unknown = given[i] == -1 && (i >= shape.train_rows || classes == 0);
    require(unknown || (given[i] >= 0 && given[i] < classes),
            "row " + std::to_string(i) + " has the label " + std::to_string(given[i]) + " with " +
                std::to_string(classes) + " classes");
  }
}

/// Which target the outline has.
TargetKind target_in(const Outline& outline) {
  if (!outline.targets.empty()) return TargetKind::numbers;
  return outline.classes.empty() ? TargetKind::none : TargetKind::classes;
}

void targets(const Subject& subject) {
  const Opened opened(subject);
  const Outline& shape = opened.data->outline();
  require(shape.targets.empty() || shape.classes.empty(),
          "it has both classes and target numbers; a data set has one kind of target");
  // By default a source says classes, and its data may still have none.
  const TargetKind said = opened.source->target_kind(), found = target_in(shape);
  require(said == found || (said == TargetKind::classes && found == TargetKind::none),
          std::string("target_kind() says ") + name(said) + ", but the outline has " + name(found));
  const auto given = opened.data->targets();
  const std::size_t numbers = shape.targets.size();
  require(given.size() == shape.rows() * numbers,
          std::to_string(given.size()) + " target numbers for " + std::to_string(shape.rows()) +
              " rows and " + std::to_string(numbers) + " targets");
  for (std::size_t i = 0; i < shape.rows(); ++i)
    for (std::size_t t = 0; t < numbers; ++t) {
      const double target = given[i * numbers + t];
      require(std::isfinite(target) || (i >= shape.train_rows && std::isnan(target)),
              "row " + std::to_string(i) + " has the number " + to_text(Value(target)) + " as '" +
                  shape.targets[t] + "'");
    }
}

void groups(const Subject& subject) {
  const Opened opened(subject);
  const Outline& shape = opened.data->outline();
  const auto given = opened.data->groups();
  require(given.empty() || given.size() == shape.rows(),
          std::to_string(given.size()) + " groups for " + std::to_string(shape.rows()) + " rows");
  require(given.empty() != opened.source->gives_groups() || shape.rows() == 0,
          given.empty() ? "gives_groups() promises groups, and the data have none"
                        : "the data have groups, and gives_groups() does not say so");
  for (std::size_t i = 0; i < std::min(given.size(), shape.train_rows); ++i)
    require(given[i] >= 0, "training row " + std::to_string(i) + " has no group");
}

void numbers(const Subject& subject) {
  const Opened opened(subject);
  const Outline& shape = opened.data->outline();
  const auto below = static_cast<std::int64_t>(std::max(shape.numbered_rows, shape.train_rows));
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < shape.rows(); ++i) {
    const std::int64_t number = opened.data->number(i);
    require(number >= 0 && seen.insert(number).second,
            "row " + std::to_string(i) + " has the number " + std::to_string(number) +
                ", which is negative or another row's");
    require(i >= shape.train_rows || number < below,
            "training row " + std::to_string(i) + " has the number " + std::to_string(number) +
                ", but numbered_rows is " + std::to_string(below));
  }
  require(shape.columns.empty() || shape.columns.size() == shape.layout.size(),
          "it names " + std::to_string(shape.columns.size()) + " columns of " +
              std::to_string(shape.layout.size()));
}

void values(const Subject& subject) {
  const Opened opened(subject);
  const std::size_t rows = rows_read(*opened.data);
  const FloatMatrix all = read(*opened.data, 0, rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < all.view().size(i); ++k)
      require(std::isfinite(all.view().row(i)[k]), "value " + std::to_string(k) + " of row " +
                                                       std::to_string(i) +
                                                       " is not finite or was not written");
  const Outline& shape = opened.data->outline();
  if (!shape.layout.ragged() || rows < shape.rows()) return;
  require(shape.values == 0 || shape.values == all.values.size(),
          "the outline says that its rows have " + std::to_string(shape.values) +
              " values together, but they have " + std::to_string(all.values.size()));
}

/// Reads blocks of any size, concurrently on several threads.
void reads_blocks_alike(const Subject& subject) {
  Opened opened(subject);
  const std::size_t rows = rows_read(*opened.data);
  const FloatMatrix all = read(*opened.data, 0, rows);
  opened.context.parallel_for(64, [&](std::size_t k) {
    const std::size_t first = k * 37 % rows, count = std::min(rows - first, k % 9 + 1);
    const FloatMatrix part = read(*opened.data, first, count);
    const MatrixView same = all.view().rows_range(first, count);
    const std::string what =
        difference({{same.row(0), same.row(0) + same.values()}, ""}, {part.values, ""});
    require(what.empty(), "rows " + std::to_string(first) + " to " + std::to_string(first + count) +
                              " read separately: " + what);
  });
}

}  // namespace

void add_source_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"the outline matches the data", outline},
       {"labels", labels},
       {"target numbers", targets},
       {"groups", groups},
       {"each row has its own number", numbers},
       {"every value is written and finite", values},
       {"same bits in any block of rows, concurrently", reads_blocks_alike}});
  add_repetition_checks(checks, subject, source_trial);
}

}  // namespace semblance::conformance
