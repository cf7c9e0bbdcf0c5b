// SPDX-License-Identifier: MIT
#include "conformance/recorded.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "conformance/check.hpp"
#include "registry/figures.hpp"
#include "semblance/error.hpp"
#include "semblance/explanation.hpp"

namespace semblance::conformance {
namespace {

std::string exact(double x) {
  if (std::isnan(x)) return "nan";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%a", x);
  return buffer;
}

template <class List>
std::string exact_list(const List& list) {
  std::string text;
  for (const auto x : list) text += " " + exact(static_cast<double>(x));
  return text;
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const auto& item : list) text += " '" + item + "'";
  return text;
}

}  // namespace

void RecordedReport::add(std::string_view name, const std::string& value) {
  if (!names_.emplace(name).second) throw Error("'" + std::string(name) + "' is reported twice");
  text_ += std::string(name) + value + "\n";
}

void RecordedReport::add_number(std::string_view name, const std::string& value) {
  const std::string problem = undeclared_figure(component_, figures_, name);
  require(problem.empty(), problem);
  add(name, figure_named(figures_, name)->unit == FigureUnit::seconds ? " is a time" : value);
}

void RecordedReport::number(std::string_view name, double value) {
  require(!std::isnan(value), "the figure '" + std::string(name) +
                                  "' is not a number (NaN): report it only where it exists");
  numbers_[std::string(name)] = value;
  add_number(name, " = " + exact(value));
}

void RecordedReport::integer(std::string_view name, std::int64_t value) {
  add_number(name, " = " + std::to_string(value));
}

void RecordedReport::text(std::string_view name, std::string_view value) {
  add(name, " = '" + std::string(value) + "'");
  texts_[std::string(name)] = value;
}

void RecordedReport::curve(const Curve& curve) {
  require(curve.x.size() == curve.y.size(), "the curve '" + curve.name + "' has " +
                                                std::to_string(curve.x.size()) + " x and " +
                                                std::to_string(curve.y.size()) + " y");
  // Curves over time are never equal.
  if (is_over_time(figures_, curve)) return add(curve.name, " is a curve over time");
  add(curve.name, ":" + exact_list(curve.x) + ";" + exact_list(curve.y));
}

void RecordedReport::table(const Table& table) {
  require(table.values.size() == table.rows.size() * table.columns.size(),
          "the table '" + table.name + "' has " + std::to_string(table.values.size()) +
              " values for " + std::to_string(table.rows.size()) + " rows and " +
              std::to_string(table.columns.size()) + " columns");
  std::string text = joined(table.rows) + joined(table.columns);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    if (unit_of_column(figures_, table.name, table.columns[i % table.columns.size()]) !=
        FigureUnit::seconds)
      text += " " + exact(table.values[i]);
  add(table.name, ":" + text);
}

void RecordedReport::plane_map(const PlaneMap& map) {
  require(map.regions.size() == map.rows * map.columns,
          "the plane map '" + map.name + "' has " + std::to_string(map.regions.size()) +
              " regions for " + std::to_string(map.rows) + " x " + std::to_string(map.columns) +
              " points");
  std::string text = joined(map.groups) + exact_list(map.regions);
  for (const auto& p : map.points)
    text += " " + exact(p.x) + exact(p.y) + std::to_string(p.group) + (p.marked ? "!" : "");
  for (const auto& c : map.circles)
    text += " " + exact(c.x) + exact(c.y) + map.circle_labels.at(c.meaning);
  add(map.name, ":" + text);
}

void RecordedReport::sample_list(const SampleList& list) {
  const auto exact_sample = [](const SampleList::Sample& sample) {
    return " '" + sample.name + "' '" + sample.label + "'" + exact_list(sample.values);
  };
  std::string text = joined(list.columns);
  for (const SampleList::Entry& entry : list.entries) {
    text += exact_sample(entry.sample) + " '" + entry.predicted + "'";
    for (const auto& [label, score] : entry.scores) text += " '" + label + "' " + exact(score);
    for (const SampleList::Neighbour& near : entry.nearest)
      text += exact_sample(near.sample) + " '" + near.map + "' " + exact(near.similarity);
  }
  add(list.name, ":" + text);
}

void RecordedReport::draw(const Drawing& drawing) {
  struct Text {
    std::string operator()(const Bars& bars) const {
      return joined(bars.labels) + exact_list(bars.values) + ";" + exact_list(bars.errors);
    }
    std::string operator()(const Scatter& scatter) const {
      std::string text = joined(scatter.groups);
      for (const auto& p : scatter.points)
        text += " " + exact(p.x) + exact(p.y) + std::to_string(p.group) + (p.marked ? "!" : "");
      return text;
    }
    std::string operator()(const HeatMap& map) const {
      return joined(map.rows) + joined(map.columns) + exact_list(map.values);
    }
    std::string operator()(const Picture& picture) const { return " " + picture.png; }
  };
  try {
    add(name_of(drawing), ":" + std::visit(Text(), checked_drawing(drawing)));
  } catch (const Error& problem) {
    throw Failed(problem.what());
  }
}

void RecordedReport::explained_samples(const ExplainedSamples& samples) {
  std::string text = joined(samples.columns);
  for (const ExplainedSamples::Entry& entry : samples.entries) {
    text += " '" + entry.sample.name + "' '" + entry.sample.label + "' '" + entry.predicted + "'" +
            exact_list(entry.sample.values) + " " + exact(entry.explanation.value);
    for (const ExampleTerm& term : entry.explanation.examples)
      text += " " + exact(term.contribution);
    for (const PartShare& share : entry.explanation.shares) text += " " + exact(share.share);
    for (const SampleList::Sample& example : entry.examples) text += exact_list(example.values);
  }
  add(samples.name, ":" + text);
}

double RecordedReport::number_of(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nan("") : found->second;
}

std::string RecordedReport::text_of(const std::string& name) const {
  const auto found = texts_.find(name);
  return found == texts_.end() ? "" : found->second;
}

namespace {

struct SameBits {
  template <class T, class U>
  bool operator()(const T&, const U&) const {
    return false;
  }
  bool operator()(std::int64_t a, std::int64_t b) const { return a == b; }
  bool operator()(double a, double b) const {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  bool operator()(const FloatMatrix& a, const FloatMatrix& b) const {
    return a.rows == b.rows && a.cols == b.cols && (*this)(a.values, b.values);
  }
  template <class T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  }
};

}  // namespace

std::string RecordedState::difference(const RecordedState& other) const {
  for (const auto& [name, entry] : entries_) {
    const auto found = other.entries_.find(name);
    if (found == other.entries_.end() || !std::visit(SameBits{}, entry, found->second)) return name;
  }
  for (const auto& [name, entry] : other.entries_)
    if (!entries_.contains(name)) return name;
  return "";
}

}  // namespace semblance::conformance
