// SPDX-License-Identifier: MIT
#include "cli/models/pair_options.hpp"

#include <fmt/format.h>

namespace semblance::cli {

void check_pair_options(const options::variables_map& values, const serving::ServedModel& model) {
  const std::string source = "nodes." + model.source_name();
  for (const char* option : {"set", "data"})
    if (values.count(option) > 0 && !model.of_pairs())
      throw UsageError(fmt::format("--{} is not for this model, which reads no files", option));
  for (const std::string& change : option_texts(values, "set"))
    if (!change.starts_with(source + ".first.") && !change.starts_with(source + ".second."))
      throw UsageError(
          fmt::format("--set changes only where the samples of pairs come from, such as "
                      "{}.first.path=FILE, not '{}'",
                      source, change.substr(0, change.find('='))));
}

}  // namespace semblance::cli
