// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/layout.hpp"
#include "semblance/parameters.hpp"
#include "semblance/target.hpp"

namespace semblance {

/// The type of data along an edge of a pipeline.
enum class PortType {
  samples,
  basis,
  pairs,
  scores,       ///< one per class
  pair_scores,  ///< one per pair
  estimates,    ///< one per target number
  intervals,    ///< lower end, estimate and upper end per target number
  novelty,      ///< one per sample: NoveltyDetector
  report
};

/// "samples", "basis", ...
const char* name(PortType type) noexcept;

/// The layouts of a port if a parameter has a certain value; they replace its other layouts.
struct LayoutsWhere {
  std::string parameter;
  std::string value;  ///< as to_text() writes it
  std::vector<LayoutKind> layouts;
};

struct PortInfo {
  std::string name;  ///< the key in the pipeline: `from`, `bases`
  PortType type = PortType::samples;
  /// For samples; empty: all layouts whose samples have one size (for an output: the layout of the
  /// input).
  std::vector<LayoutKind> layouts;
  bool many = false;  ///< accepts a list of nodes
  bool required = true;
  std::string documentation;

  /// `layouts`, or what empty `layouts` mean for an input.
  std::vector<LayoutKind> layouts_taken() const;

  std::vector<LayoutsWhere> layouts_where = {};

  /// The layouts for these parameter values: those of a matching LayoutsWhere, else `otherwise`.
  const std::vector<LayoutKind>& layouts_with(
      const std::vector<std::pair<std::string, Value>>& values,
      const std::vector<LayoutKind>& otherwise) const;
};

/// The unit of a figure, which determines how it is written for people.
enum class FigureUnit {
  plain,    ///< a number as it is
  share,    ///< of 1; written in per cent
  count,    ///< written without a fraction
  seconds,  ///< of time
  bytes     ///< of memory or disk
};

/// Which of two values of a figure is better; none: the figure only describes.
enum class Better { none, lower, higher };

/// A number that a component puts into its report: declared like its parameters, so that nobody has
/// to guess its meaning from the name.
struct FigureInfo {
  /// As in Report::number(), or TABLE.COLUMN or CURVE.LABEL. One '*' stands for one or more
  /// characters that are known only at run time: "top_*_accuracy".
  std::string name;
  std::string documentation;  ///< one line
  FigureUnit unit = FigureUnit::plain;
  Better better = Better::none;
  bool headline = false;  ///< the most telling ones: shown first and in one-line summaries

  bool matches(std::string_view figure) const noexcept;
};

/// Something that pipelines wrote for an earlier version. While it is deprecated it still works,
/// with a warning; once it is gone it is an error with the same words, except in models.
struct FormerName {
  /// A parameter; one value of it, "PARAMETER: VALUE"; or the id of a component. What is still
  /// declared works as it is, anything else as `instead` says.
  std::string written;
  std::string since;         ///< the version that deprecated it: "1.1"
  std::string instead = "";  ///< in the same form; for an id, the value that this component takes
  std::string advice = "";   ///< what to do if nothing takes its place
  /// Of a parameter that is gone, the value that means what the component does now: models that
  /// have it are read.
  std::string usual = "";
  bool gone = false;

  std::string state() const;  ///< "is deprecated since 1.1" or "is gone"
  /// What to write: `advice`, or in place of the id of a component "is: ID, `instead`".
  std::string remedy(std::string_view id = "") const;
};

/// The one for what is written, or nullptr.
const FormerName* find_former(const std::vector<FormerName>& names,
                              std::string_view written) noexcept;

/// Everything a pipeline author can know about a component without running it.
struct ComponentInfo {
  std::string id;             ///< `kind/name`
  std::string summary;        ///< one sentence
  std::string documentation;  ///< paragraphs, may be empty
  std::string reference;      ///< paper and equation
  std::string complexity;     ///< time and memory
  /// The nodes of a small example pipeline, one per line, as below `nodes:`; may be empty.
  std::string example;
  std::vector<ParameterInfo> parameters;
  std::vector<FigureInfo> figures;  ///< the numbers it reports
  std::vector<PortInfo> inputs;     ///< those of one name are alternatives
  std::optional<PortInfo> output;   ///< none: usable only as a parameter
  bool random = false;              ///< the result depends on the seed
  bool symmetric = false;           ///< for similarities: s(a, b) = s(b, a)
  bool inexpensive = false;         ///< cheaper to recompute than to store
  bool distributed = false;         ///< learns from rows spread over several processes
  bool uses_device = false;         ///< computes on a GPU, if the user chose one
  /// Each value of a sample belongs to one row of the source's data, in their order, as in a
  /// similarity matrix. The runtime refuses samples with another number of values.
  bool columns_are_rows = false;
  /// Each output value stands for the same column as the input value at its position.
  bool keeps_columns = false;
  /// The input may have missing values (NaN); the output has none. Other components never get
  /// missing values.
  bool takes_missing = false;
  /// The kinds of targets that the training samples may have, because it learns from them; empty:
  /// it ignores targets.
  std::vector<TargetKind> targets = {};
  /// For solvers: samples may have weights (TrainingSet::weights). Other solvers never get weights.
  bool takes_weights = false;
  std::vector<FormerName> former = {};

  /// Whether the training samples may have such targets.
  bool takes(TargetKind target) const noexcept;

  std::string_view kind() const noexcept { return std::string_view(id).substr(0, id.find('/')); }
  const ParameterInfo* parameter(std::string_view name) const noexcept;
  const PortInfo* input(std::string_view name) const noexcept;
  /// The declaration of the figure with this name; one without a '*' takes precedence.
  const FigureInfo* figure(std::string_view name) const noexcept;
};

/// The lines without their common indentation and without leading and trailing blank lines, for raw
/// string literals in indented code.
std::string unindented(std::string_view lines);

}  // namespace semblance
