// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "schema/schema.hpp"
#include "test_components.hpp"

namespace semblance::testing::pipeline_schema_test {
namespace {

using Json = nlohmann::ordered_json;

// tests/schema tests with a validator that the schema refuses the same pipelines as the checker.

Json definition(const std::string& name) {
  return pipeline_schema(test_catalogue()).at("definitions").at(name);
}

TEST_CASE("a schema has all components, where they can stand") {
  const Json nodes = definition("node.is").at("enum");
  CHECK(nodes.size() == test_catalogue().entries().size() - 1);
  CHECK(std::find(nodes.begin(), nodes.end(), "pair_kernel/product") == nodes.end());
  CHECK(definition("part.similarity.is").at("enum") == Json{"similarity/polynomial",
                                                            "similarity/precomputed",
                                                            "similarity/rbf", "similarity/rigid"});
  CHECK(definition("node").at("allOf").size() == nodes.size());
}

TEST_CASE("a parameter has its documentation, default and range") {
  const Json hog = definition("node.feature.hog");
  CHECK(hog.at("description") == "Histograms of gradients");
  CHECK(hog.at("required") == Json::array({"from"}));
  CHECK(hog.at("properties").at("cell") ==
        Json{{"description", "side of a cell (in [2, inf), pixels, default 8)"},
             {"default", 8},
             {"type", "integer"},
             {"minimum", 2},
             {"maximum", INT64_MAX}});
  const Json gamma = definition("node.similarity.rbf").at("properties").at("gamma");
  CHECK(gamma.at("exclusiveMinimum") == 0);
  CHECK_FALSE(gamma.contains("minimum"));
  const Json factor = definition("part.similarity.polynomial").at("properties").at("gamma");
  CHECK(factor.at("default") == "scale");
  CHECK(factor.at("if") == Json{{"type", "number"}});
  CHECK(factor.at("then").at("exclusiveMinimum") == 0);
  CHECK(factor.at("else") == Json{{"enum", {"scale", "auto"}}});
  const Json loss = definition("node.solver.linear_svm").at("properties").at("loss");
  CHECK(loss.at("enum") == Json{"hinge", "squared_hinge"});
  CHECK(definition("node.source.images").at("required") == Json::array({"path"}));
}

TEST_CASE("a part has parameters only, a node also its inputs and seed") {
  CHECK_FALSE(definition("part.similarity.rbf").at("properties").contains("from"));
  CHECK_FALSE(definition("part.similarity.rbf").at("properties").contains("seed"));
  const Json node = definition("node.similarity.rbf");
  CHECK(node.at("properties").contains("seed"));
  CHECK(node.at("required") == Json{"from", "bases"});
}

TEST_CASE("a part that has a default may be left out") {
  const Json svm = definition("node.solver.kernel_svm");
  CHECK(svm.at("required") == Json::array({"from"}));
  const Json kernel = svm.at("properties").at("kernel");
  CHECK(kernel.at("default") == Json{{"is", "similarity/rbf"}});
  CHECK(kernel.at("else").at("$ref") == "#/definitions/part.similarity.rbf");
  CHECK(svm.at("properties").at("warm").at("type") == Json{"object", "null"});
  CHECK(definition("node.solver.needs_kernel").at("required") == Json{"kernel", "from"});
}

TEST_CASE("the same catalogue gives the same schema") {
  CHECK(pipeline_schema(test_catalogue()).dump() == pipeline_schema(test_catalogue()).dump());
}

}  // namespace
}  // namespace semblance::testing::pipeline_schema_test
