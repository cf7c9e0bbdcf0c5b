// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "registry/catalogue.hpp"
#include "semblance/handed_over.hpp"
#include "settings.hpp"
#include "study/selecting_pipeline.hpp"

namespace semblance::python {

/// What Python wants done with the text of a pipeline or study.
struct Request {
  Settings settings;
  std::shared_ptr<const Catalogue> catalogue;
  std::vector<HandedOver> handed;  ///< what source/array finds while this lives
};

/// `data` maps names of sources in `text` to Data that replace them, or is the only Data, whose id
/// the text has. A share of test rows that the source sets aside, and its seed, stay where the data
/// bring no test rows; `missing: keep` stays always. Then come `overrides`, as --set takes them.
/// Raises ValueError for names that are no sources, and what settings_from() raises.
Request request(const std::string& text, const std::string& file, const pybind11::object& data,
                const std::vector<std::string>& overrides, const pybind11::dict& options);

/// The pipeline or study that a check has found to be sound; issues its warnings. Throws
/// BadPipeline.
template <class Checked>
Checked sound(std::optional<Checked> checked, std::vector<Diagnostic> diagnostics) {
  if (!checked) throw BadPipeline(std::move(diagnostics));
  for (const Diagnostic& diagnostic : diagnostics) warn(render(diagnostic));
  return *std::move(checked);
}

/// How long the last training of a form took.
struct LastTraining {
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t rows = 1;

  /// That of another number of rows, with whose square it may grow.
  double expected(std::size_t others) const noexcept {
    const double ratio = static_cast<double>(others) / static_cast<double>(rows);
    return seconds * std::max(1.0, ratio * ratio);
  }
};

/// A sound pipeline.
struct Sound {
  SelectingPipeline pipeline;
  std::shared_ptr<LastTraining> last = std::make_shared<LastTraining>();  ///< of its form
};

/// The pipeline of a text; issues its warnings. Throws BadPipeline. That of an estimator, whose
/// `data` is the only Data, is checked once for each class, set of parameters and form of the data;
/// later data of this form only have another id. What is written in Python is checked each time,
/// and so is what reads files.
Sound checked_pipeline(const std::string& text, const std::string& file,
                       const pybind11::object& data, const Request& request);

/// Whether it is a study; false where it cannot be read.
bool is_study(const std::string& text, const std::string& file);

/// Names of the sources of the pipeline or study `text`, in its order; none where it cannot be
/// read.
std::vector<std::string> sources_of(const std::string& text, const std::string& file);

/// Whether the source leaves missing values to a component that fills them in (`missing: keep`).
bool keeps_missing(const std::string& text, const std::string& file, const std::string& source);

/// The kinds of layouts that everything takes which the source `node` feeds: "vector", "image".
/// All kinds where nothing is known of that.
std::vector<std::string> layouts_taken(const std::string& text, const std::string& file,
                                       const std::string& node);

}  // namespace semblance::python
