// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reference/component_text.hpp"
#include "reference/reference_pages.hpp"
#include "semblance/error.hpp"
#include "semblance/kind.hpp"
#include "semblance/similarity.hpp"

namespace reference_test {

using namespace semblance;

namespace {

ComponentInfo cauchy() {
  ComponentInfo info;
  info.id = "similarity/cauchy";
  info.summary = "1 / (1 + |b - x|^2)";
  info.documentation = "Has *long* tails; see `a_b*c`.";
  info.reference = "Cauchy 1853, eq. [3]";
  info.complexity = "3d operations per pair";
  info.example = "points: {is: source/xor}\n\nx: {is: similarity/cauchy, from: points}";
  info.inputs = Similarity::kind_info().inputs;
  info.output = Similarity::kind_info().output;
  ParameterInfo width;
  width.name = "width";
  width.type = ParameterType::number;
  width.documentation = "where it is 1/2 | not more";
  width.fallback = 2.5;
  width.unit = "metres";
  width.interval = {0, 10, true, false};
  ParameterInfo part;
  part.name = "inner";
  part.type = ParameterType::component;
  part.kind = "similarity";
  part.default_component = "similarity/cauchy";
  part.documentation = "what is inside";
  ParameterInfo form;
  form.name = "form";
  form.type = ParameterType::text;
  form.fallback = std::string("plain");
  form.choices = {"plain", "squared"};
  form.documentation = "of the distance";
  info.parameters = {width, part, form};
  return info;
}

Catalogue catalogue() {
  Catalogue all;
  const auto origin =
      std::make_shared<const PluginOrigin>(PluginOrigin{"tails", "1.2.3", "MIT", "/x.so", ""});
  all.add({cauchy(), origin},
          [](const ComponentConfig&, const Catalogue&) { return std::unique_ptr<Component>(); });
  return all;
}

void check_has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
}

}  // namespace

TEST_CASE("what would be markup is escaped, but not in code, and not inside of words") {
  CHECK(markdown::escaped("a_b <c> *d* _e_ b < x") == "a_b \\<c> \\*d\\* \\_e\\_ b < x");
  CHECK(markdown::escaped("`x*y` * [z](w) [v]") == "`x*y` * [z\\](w) [v]");
}

TEST_CASE("an example may be indented as the code around it") {
  CHECK(unindented("\n    a: {x: 1}\n      b\n\n    c\n  ") == "a: {x: 1}\n  b\n\nc");
  CHECK(unindented("a") == "a");
  CHECK(unindented(" \n \n").empty());
  ComponentInfo info;
  CHECK(example_pipeline(info).empty());
}

TEST_CASE("a cell may hold bars and ends of lines") {
  CHECK(markdown::table({"a", "b"}, {{"x|y", "1\n2"}}) ==
        "| a | b |\n| --- | --- |\n| x\\|y | 1 2 |\n");
}

TEST_CASE("a page shows everything that a component declares") {
  const Catalogue all = catalogue();
  const std::string page = component_page(*all.entries().front(), all);
  for (const char* part :
       {"# similarity/cauchy\n", "1 / (1 + |b - x|^2)", "Has \\*long\\* tails; see `a_b*c`.",
        "| `from` | samples | the samples |", "| `bases` | basis | what to compare them with |",
        "It gives samples of layout vector.",
        "| `width` | number in (0, 10], metres | `2.5` | where it is 1/2 \\| not more |",
        "| `inner` | a component: [similarity](../README.md#similarity) | "
        "[`similarity/cauchy`](../similarity/cauchy.md) | what is inside |",
        "| `form` | `plain`, `squared` | `plain` | of the distance |",
        "**Paper and equation:** Cauchy 1853, eq. [3]", "**Complexity:** 3d operations per pair",
        "name: similarity_cauchy\nnodes:\n  points: {is: source/xor}\n\n  x: {is: ",
        "Plugin `tails` 1.2.3, licence MIT."})
    check_has(page, part);
}

TEST_CASE("the index has every component once, below its kind") {
  const std::string index = reference_index(catalogue());
  check_has(index, "\n## similarity\n");
  check_has(index, "| [`similarity/cauchy`](similarity/cauchy.md) | 1 / (1 + \\|b - x\\|^2) |");
  CHECK(index.find("## solver") == std::string::npos);
}

TEST_CASE("pages are written into a folder, and replaced there; obstacles are reported") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "semblance_reference_XXXXXX").string();
  const fs::path folder = ::mkdtemp(name.data());
  CHECK(write_reference(catalogue(), folder / "new") == 1);
  CHECK(write_reference(catalogue(), folder / "new") == 1);
  std::ifstream in(folder / "new/similarity/cauchy.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const Catalogue all = catalogue();
  CHECK(page == component_page(*all.entries().front(), all));
  std::ofstream(folder / "file") << "in the way";
  CHECK_THROWS_AS(write_reference(catalogue(), folder / "file"), Error);
  fs::remove_all(folder);
}

}  // namespace reference_test
