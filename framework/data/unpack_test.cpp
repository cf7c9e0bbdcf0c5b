// SPDX-License-Identifier: MIT
#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "data/get_data_set.hpp"
#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::unpack_test {
namespace {

namespace fs = std::filesystem;
using testing::content;
using testing::TestFolder;

struct Member {
  std::string path;
  std::string text;
  unsigned type = AE_IFREG;
  std::string link = {};      ///< symbolic
  std::string hardlink = {};  ///< to another member
};

fs::path pack(const TestFolder& folder, const std::vector<Member>& members) {
  const fs::path file = folder.path / "a.tar.gz";
  archive* out = archive_write_new();
  archive_write_add_filter_gzip(out);
  archive_write_set_format_pax_restricted(out);
  REQUIRE(archive_write_open_filename(out, file.c_str()) == ARCHIVE_OK);
  for (const Member& member : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.path.c_str());
    archive_entry_set_filetype(entry, member.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.text.size()));
    if (!member.link.empty()) archive_entry_set_symlink(entry, member.link.c_str());
    if (!member.hardlink.empty()) archive_entry_set_hardlink(entry, member.hardlink.c_str());
    archive_write_header(out, entry);
    archive_write_data(out, member.text.data(), member.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  return file;
}

std::vector<DataFile> wanted(const std::string& path, const std::string& member) {
  DataFile file;
  file.path = path;
  file.member = member;
  return {file};
}

}  // namespace

TEST_CASE("members go where the catalogue says, the rest is left alone") {
  const TestFolder folder;
  const auto file = pack(folder, {{"top/x.bin", "one"}, {"top/y.bin", "two"}, {"../evil", "no"}});
  unpack_members(file, wanted("sets/x", "x.bin"), folder.path / "out", 100);
  CHECK(content(folder.path / "out/sets/x") == "one");
  CHECK_FALSE(fs::exists(folder.path / "out/sets/y"));
  CHECK_FALSE(fs::exists(folder.path / "evil"));
  CHECK_THROWS_WITH_AS(unpack_members(file, wanted("z", "z.bin"), folder.path / "other", 100),
                       doctest::Contains("its member 'z.bin' is missing"), Error);
  CHECK_THROWS_WITH_AS(unpack_members(file, wanted("z", "x.bin"), folder.path / "small", 2),
                       doctest::Contains("more than 2 bytes unpacked"), Error);
}

TEST_CASE("a member that appears twice, or is a link, is refused") {
  const TestFolder folder;
  CHECK_THROWS_WITH_AS(unpack_members(pack(folder, {{"a/x", "1"}, {"b/x", "2"}}), wanted("x", "x"),
                                      folder.path / "out", 100),
                       doctest::Contains("appears twice"), Error);
  CHECK_THROWS_WITH_AS(unpack_members(pack(folder, {{"x", "", AE_IFLNK, "/etc/passwd"}}),
                                      wanted("x", "x"), folder.path / "out2", 100),
                       doctest::Contains("is a link"), Error);
}

TEST_CASE("a whole archive is unpacked only when all of it stays inside") {
  const TestFolder folder;
  unpack_all(pack(folder, {{"./a/x", "1"}, {"a//y", "2"}, {"a/b", "", AE_IFDIR}}),
             folder.path / "good", 100);
  CHECK(content(folder.path / "good/a/x") == "1");
  CHECK(content(folder.path / "good/a/y") == "2");

  const std::vector<std::pair<std::vector<Member>, std::string>> bad = {
      {{{"../x", "1"}}, "would lie outside"},
      {{{"a/../../x", "1"}}, "would lie outside"},
      {{{"/tmp/x", "1"}}, "would lie outside"},
      {{{"a\\..\\x", "1"}}, "would lie outside"},
      {{{"a\x1b[2Jx", "1"}}, "would lie outside"},
      {{{"x", "", AE_IFLNK, "/etc"}, {"x/passwd", "1"}}, "is a link"},
      {{{"x", "", AE_IFLNK, "inside"}}, "is a link"},
      {{{"y", "1"}, {"x", "", AE_IFREG, "", "y"}}, "is a link"},
      {{{"pipe", "", AE_IFIFO}}, "not a regular file"},
      {{{"device", "", AE_IFCHR}}, "not a regular file"},
      {{{"x", "1"}, {"x", "2"}}, "File exists"},
      {{{"x", "1"}, {"x/y", "2"}}, "cannot create its folder"},
      {{{"x", std::string(101, '0')}}, "more than 100 bytes unpacked"},
      {{{"a", "", AE_IFDIR}}, "it holds no files"},
  };
  int number = 0;
  for (const auto& [members, message] : bad) {
    INFO(members[0].path << ": " << message);
    const fs::path out = folder.path / ("bad" + std::to_string(number++));
    CHECK_THROWS_WITH_AS(unpack_all(pack(folder, members), out, 100),
                         doctest::Contains(message.c_str()), Error);
  }
  CHECK_FALSE(fs::exists(folder.path / "x"));
}

TEST_CASE("a small file that claims to be huge stops at the limit") {
  const TestFolder folder;
  const auto file = pack(folder, {{"bomb", std::string(std::size_t{64} << 20, '\0')}});
  REQUIRE(fs::file_size(file) < (1 << 20));
  CHECK_THROWS_WITH_AS(unpack_all(file, folder.path / "out", 1 << 20),
                       doctest::Contains("more than 1048576 bytes unpacked"), Error);
  CHECK(fs::file_size(folder.path / "out/bomb") <= (1 << 20));
}

TEST_CASE("300 archives with random damage are unpacked or refused, never more") {
  const TestFolder folder;
  const auto file = pack(folder, {{"a/x", std::string(5000, 'x')}, {"a/y", "2"}, {"b/z", "3"}});
  const std::string whole = content(file);
  std::mt19937 random(11);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    for (int flips = 0; flips < 4; ++flips)
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    const fs::path out = folder.path / "out" / std::to_string(round);
    try {
      unpack_all(file, out, 100'000);
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 200);
  CHECK(testing::files_in(folder.path) == 2);
}

}  // namespace semblance::unpack_test
