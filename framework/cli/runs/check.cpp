// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/pipeline_options.hpp"
#include "pipeline/check_options.hpp"

namespace semblance::cli {

int check_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("check");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = pipeline_argument(*values, verb);
  const Discovery found = discover(*values);
  if (is_study(file)) {
    const auto study = checked_study(file, found.catalogue, check_options(*values));
    if (!study) return wrong_usage;
    if (!study->steps.empty())
      fmt::print("{}: study '{}' in {} steps can run{}\n", file, study->name, study->steps.size(),
                 steps_text(*study));
    else
      fmt::print("{}: study '{}' with {} variants can run\n", file, study->name,
                 study->variants.size());
    return done;
  }
  const auto pipeline = checked_pipeline(file, found.catalogue, check_options(*values));
  if (!pipeline) return wrong_usage;
  fmt::print("{}: pipeline '{}' with {} nodes can run{}\n", file, pipeline->name,
             pipeline->nodes.size(), selection_text(*pipeline));
  return done;
}

}  // namespace semblance::cli
