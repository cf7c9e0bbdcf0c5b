// SPDX-License-Identifier: MIT
#include "liblinear_training.hpp"

#include <cstdlib>
#include <mutex>
#include <string>

namespace semblance::libraries {
namespace {

std::mutex library_mutex;
std::string library_text;
void keep_text(const char* text) { library_text += text; }

/// Trust region Newton stops silently after this many iterations.
constexpr double newton_limit = 1000;

}  // namespace

LiblinearModel run_liblinear(const problem& data, const parameter& settings, unsigned seed,
                             LibraryOutput& output) {
  if (const char* complaint = check_parameter(&data, &settings)) throw Error(complaint);
  const std::lock_guard lock(library_mutex);
  library_text.clear();
  set_print_string_function(keep_text);
  std::srand(seed);
  LiblinearModel trained(train(&data, &settings));
  output.text = std::move(library_text);
  return trained;
}

Certificate liblinear_certificate(const LibraryOutput& output) {
  const bool limit =
      output.contains("WARNING") || output.sum_after("iter ").largest >= newton_limit;
  return limit ? Certificate::iteration_limit : Certificate::converged;
}

}  // namespace semblance::libraries
