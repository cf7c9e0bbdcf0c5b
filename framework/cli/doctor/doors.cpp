// SPDX-License-Identifier: MIT
#include "cli/doctor/examination.hpp"
#include "export/onnx_door.hpp"
#include "serve/http/http_library.hpp"

namespace semblance::cli {
namespace {

/// "yes", or why not.
template <class Load>
std::string whether(const Load& load) {
  try {
    load();
    return "yes";
  } catch (const std::exception& problem) {
    return std::string("no: ") + problem.what();
  }
}

}  // namespace

void examine_doors(Examination& seen) {
  seen.section("models for others", [](nlohmann::ordered_json& facts) {
    facts["serve"] = whether(serving::http_library);
    facts["export --to onnx"] = whether(onnx_functions);
  });
}

}  // namespace semblance::cli
