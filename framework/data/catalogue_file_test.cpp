// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>

#include "data/data_set.hpp"
#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::catalogue_file_test {
namespace {

using testing::TestFolder;

std::filesystem::path write(const TestFolder& folder, const std::string& text) {
  std::ofstream(folder.path / "sets.yaml") << text;
  return folder.path / "sets.yaml";
}

const std::string head =
    "data_sets:\n  a:\n    summary: s\n    licence: l\n    cite: c\n    page: p\n    downloads:\n"
    "      - url: http://example.org/a.gz\n";

}  // namespace

TEST_CASE("the shipped catalogue is right, and has the sets that the pipelines use") {
  const auto sets = read_data_catalogue(SEMBLANCE_DATA_SETS);
  CHECK(sets.size() == 16);
  for (const DataSet& set : sets)
    for (const Download& download : set.downloads) {
      INFO(set.name << " " << download.file);
      CHECK((!download.gives.empty() || !download.unpack.empty()));
    }
}

TEST_CASE("a catalogue says what is there") {
  const TestFolder folder;
  const auto sets = read_data_catalogue(write(
      folder, head + "        sha256: unknown\n        gives: {a/x.gz: {lines: 3, bytes: 9}}\n"));
  REQUIRE(sets.size() == 1);
  const Download& download = sets[0].downloads[0];
  CHECK(download.file == "a.gz");
  CHECK_FALSE(download.sha256);
  CHECK_FALSE(download.verifiable());
  CHECK(download.gives[0].content.lines == 3);
}

TEST_CASE("every error in a catalogue is reported with its line") {
  const TestFolder folder;
  const std::string sum(64, 'a');
  const std::pair<std::string, std::string> cases[] = {
      {"data_set: {}\n", "1:1: error: the catalogue has no key 'data_set'"},
      {"data_sets: [a]\n", "1:12: error: data_sets must be a mapping"},
      {"data_sets:\n  a/b: {}\n", "a data set's name must be one word"},
      {"data_sets:\n  a: {licens: x}\n", "did you mean 'licence'?"},
      {head, "'sha256' is missing"},
      {head + "        sha256: abc\n        gives: {a/x: {}}\n", "64 hexadecimal digits"},
      {head + "        sha256: unknown\n", "needs either 'gives' or 'unpack'"},
      {head + "        sha256: unknown\n        gives: {../x: {}}\n",
       "must be a path below the data folder"},
      {head + "        sha256: unknown\n        gives: {/etc/x: {}}\n",
       "must be a path below the data folder"},
      {head + "        sha256: unknown\n        gives: {a/../../x: {}}\n",
       "must be a path below the data folder"},
      {head + "        sha256: unknown\n        gives: {.downloads/x: {}}\n",
       "must be a path below the data folder"},
      {head + "        sha256: unknown\n        unpack: ..\n",
       "must be a path below the data folder"},
      {head + "        sha256: unknown\n        bytes: -4\n        gives: {a: {}}\n", "'bytes' "},
      {head + "        sha256: " + sum + "\n        gives: {a: {sha256: unknown}}\n",
       "64 hexadecimal digits"},
      {"data_sets:\n  a:\n    summary: s\n    licence: l\n    cite: c\n    page: p\n    "
       "downloads:\n"
       "      - {url: 'file:///etc/passwd', sha256: unknown, gives: {a: {}}}\n",
       "must start with http:// or https://"},
      {"data_sets: {\n", "error"},
      {std::string("data_sets: \x01\n"), "error"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK_THROWS_WITH_AS(read_data_catalogue(write(folder, text)),
                         doctest::Contains(message.c_str()), Error);
  }
}

TEST_CASE("a data set of an own catalogue must have a new name") {
  const TestFolder folder;
  const auto file = write(folder, head + "        sha256: unknown\n        gives: {a/x: {}}\n");
  CHECK(read_data_catalogues({folder.path / "none.yaml", file}).size() == 1);
  CHECK_THROWS_WITH_AS(read_data_catalogues({file, file}),
                       doctest::Contains("is already in another catalogue"), Error);
}

}  // namespace semblance::catalogue_file_test
