// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/layout.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// What flows along an edge of a pipeline.
enum class PortType { samples, basis, pairs, scores, pair_scores, report };

/// "samples", "basis", ...
const char* name(PortType type) noexcept;

/// The layouts of a port where a parameter has a certain value, in place of all others.
struct LayoutsWhere {
  std::string parameter;
  std::string value;  ///< as to_text() writes it
  std::vector<LayoutKind> layouts;
};

struct PortInfo {
  std::string name;  ///< the key in the pipeline: `from`, `bases`
  PortType type = PortType::samples;
  /// Of samples; empty: all whose samples are of one size (an output: same as its input).
  std::vector<LayoutKind> layouts;
  bool many = false;  ///< accepts a list of nodes
  bool required = true;
  std::string documentation;

  /// `layouts`, where they are empty those that this means for an input.
  std::vector<LayoutKind> layouts_taken() const;

  std::vector<LayoutsWhere> layouts_where = {};

  /// The layouts where parameters have these values: `otherwise`, unless one of them says more.
  const std::vector<LayoutKind>& layouts_with(
      const std::vector<std::pair<std::string, Value>>& values,
      const std::vector<LayoutKind>& otherwise) const;
};

/// What a figure is measured in: how it is written for people.
enum class FigureUnit {
  plain,    ///< a number as it stands
  share,    ///< of 1: written in per cent
  count,    ///< of things: written without a fraction
  seconds,  ///< of time
  bytes     ///< of memory or disk
};

/// Which of two values of a figure is the better one; none: it only describes.
enum class Better { none, lower, higher };

/// A number that a component puts into its report: declared as its parameters are, so that nobody
/// guesses from a name what it means.
struct FigureInfo {
  /// As in Report::number(), or TABLE.COLUMN or CURVE.LABEL. One '*' stands for what is known only
  /// when it runs, one character or more: "top_*_accuracy".
  std::string name;
  std::string documentation;  ///< one line
  FigureUnit unit = FigureUnit::plain;
  Better better = Better::none;
  bool headline = false;  ///< says most of a result: shown first, and in one line of a summary

  bool matches(std::string_view figure) const noexcept;
};

/// Everything a pipeline author can know about a component without running it.
struct ComponentInfo {
  std::string id;             ///< `kind/name`
  std::string summary;        ///< one sentence
  std::string documentation;  ///< paragraphs, may be empty
  std::string reference;      ///< paper and equation
  std::string complexity;     ///< time and memory
  /// The nodes of a small pipeline that shows it, one a line, as below `nodes:`; may be empty.
  std::string example;
  std::vector<ParameterInfo> parameters;
  std::vector<FigureInfo> figures;  ///< the numbers it reports
  std::vector<PortInfo> inputs;
  std::optional<PortInfo> output;  ///< none: usable as a parameter only
  bool random = false;             ///< the result depends on the seed
  bool symmetric = false;          ///< of a similarity: s(a, b) = s(b, a)
  bool inexpensive = false;        ///< cheaper to compute again than to keep
  bool distributed = false;        ///< learns from rows spread over several processes
  /// Each value of a sample belongs to one row of the source's data, in their order, as in a
  /// similarity matrix: the runtime refuses samples that have another number of values.
  bool columns_are_rows = false;
  /// A value of a sample stands for the same column as the value in its place before.
  bool keeps_columns = false;
  /// Samples may have missing values, which are NaN; its own have none. All others are never given
  /// any.
  bool takes_missing = false;
  /// Of a solver: rows may count more or less than others (TrainingSet::weights). All others are
  /// never given weights.
  bool takes_weights = false;

  std::string_view kind() const noexcept { return std::string_view(id).substr(0, id.find('/')); }
  const ParameterInfo* parameter(std::string_view name) const noexcept;
  const PortInfo* input(std::string_view name) const noexcept;
  /// The declaration of the figure that is called so; one without a '*' goes before one with.
  const FigureInfo* figure(std::string_view name) const noexcept;
};

/// Lines without the indentation that all of them share, and without blank ones before and after:
/// what a raw string literal in indented code means.
std::string unindented(std::string_view lines);

}  // namespace semblance
