// SPDX-License-Identifier: MIT
#include "data/content.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::content_test {
namespace {
using testing::content;
using testing::TestFolder;

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}
}  // namespace

TEST_CASE("SHA-256 is that of FIPS 180-4's examples") {
  const TestFolder folder;
  write(folder.path / "a", "abc");
  write(folder.path / "b", "");
  CHECK(figures_of(folder.path / "a").sha256 ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(figures_of(folder.path / "b").sha256 ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK_THROWS_WITH_AS(figures_of(folder.path / "none"), doctest::Contains("cannot be read"),
                       Error);
}

TEST_CASE("contents differ by their bytes, lines and checksum; an empty one as well") {
  const TestFolder folder;
  write(folder.path / "a", "1\n2\n3\n");
  const auto found = content_of(folder.path / "a", 100);
  CHECK(found.bytes == 6);
  CHECK(found.lines == 3);
  CHECK(found.sha256 == figures_of(folder.path / "a").sha256);
  CHECK(difference(found, {}).empty());
  CHECK(difference(found, {6, 3, found.sha256}).empty());
  CHECK(difference(found, {7, {}, {}}) == "has 6 bytes of content, not 7");
  CHECK(difference(found, {6, 4, {}}) == "has 3 lines, not 4");
  CHECK(difference(found, {{}, {}, std::string(64, '0')}).find("not 0000") != std::string::npos);
  write(folder.path / "empty", "");
  CHECK(content_of(folder.path / "empty", 100).bytes == 0);
  CHECK_THROWS_WITH_AS(content_of(folder.path / "a", 5), doctest::Contains("more than 5 bytes"),
                       Error);
}

TEST_CASE("lines that begin with a text are left out, wherever the pieces are cut") {
  const TestFolder folder;
  const std::string text = "@relation x\n1,2\n@data\n3,4\n5";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const auto file = folder.path / std::to_string(piece);
    NewFile out(file, "@");
    for (std::size_t i = 0; i < text.size(); i += piece) out.write(text.substr(i, piece));
    out.close();
    CHECK(content(file) == "1,2\n3,4\n5");
  }
}

TEST_CASE("an existing file or link is never written into") {
  const TestFolder folder;
  write(folder.path / "a", "mine");
  std::filesystem::create_symlink(folder.path / "elsewhere", folder.path / "link");
  CHECK_THROWS_WITH_AS(NewFile(folder.path / "a"), doctest::Contains("File exists"), Error);
  CHECK_THROWS_AS(NewFile(folder.path / "link"), Error);
  CHECK(content(folder.path / "a") == "mine");
  CHECK_FALSE(std::filesystem::exists(folder.path / "elsewhere"));
}

}  // namespace semblance::content_test
