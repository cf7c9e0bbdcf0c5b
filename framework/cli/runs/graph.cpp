// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/pipeline_options.hpp"
#include "pipeline/graph_drawing.hpp"
#include "study/merge.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance::cli {
namespace {

/// The pipeline, or the merged graph of a study; nothing: reported.
std::optional<Pipeline> drawn_pipeline(const std::string& file, const Catalogue& catalogue,
                                       const CheckOptions& checking) {
  if (!is_study(file)) return checked_pipeline(file, catalogue, checking);
  const auto study = checked_study(file, catalogue, checking);
  if (!study) return std::nullopt;
  return merge(*study, std::vector<char>(study->variants.size(), 1), catalogue).pipeline;
}

}  // namespace

int graph_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("graph");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  described.add_options()("out", takes("FILE"),
                          "FILE.svg or FILE.dot (default: DOT to standard output)");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = pipeline_argument(*values, verb);
  const Discovery found = discover(*values);
  CheckOptions checking = check_options(*values);
  checking.check_files = false;  // a picture needs no data
  const auto pipeline = drawn_pipeline(file, found.catalogue, checking);
  if (!pipeline) return wrong_usage;
  if (!values->count("out")) {
    fmt::print("{}", dot_text(*pipeline));
    return done;
  }
  const std::filesystem::path out = (*values)["out"].as<std::string>();
  if (out.extension() != ".svg" && out.extension() != ".dot")
    throw UsageError("--out must end in .svg or .dot, got '" + out.string() + "'");
  write_file_atomically(out, out.extension() == ".svg" ? svg_text(*pipeline) : dot_text(*pipeline));
  fmt::print("{}\n", out.string());
  return done;
}

}  // namespace semblance::cli
