// SPDX-License-Identifier: MIT
#include <functional>

#include "pictures/image_decoding.hpp"
#include "tests/sources_testing.hpp"

namespace damaged_files_test {

using semblance::sources::Picture;

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

// Files with random damage: a source always gives a data set or an Error.

namespace {

std::string damaged(std::string content, Random& random) {
  for (std::uint64_t n = 1 + random.below(4); n > 0 && !content.empty(); --n) {
    const std::size_t at = random.below(content.size());
    const auto any = static_cast<char>(random.below(256));
    switch (random.below(5)) {
      case 0:
        content[at] = any;
        break;
      case 1:
        content.resize(at);
        break;
      case 2:
        content.insert(at, 1 + random.below(9), any);
        break;
      case 3:
        content.erase(at, 1 + random.below(9));
        break;
      default:
        content += content.substr(at, 40);
        break;
    }
  }
  return content;
}

/// Runs `open` on many damaged versions of `content`; returns how many were refused.
int refused(const std::string& content, const std::function<void(const std::string&)>& open) {
  Random random(11);
  int count = 0;
  for (int k = 0; k < 300; ++k) {
    const std::string version = damaged(content, random);
    try {
      open(version);
    } catch (const Error& error) {
      ++count;
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    } catch (const std::exception& error) {
      FAIL_CHECK("version " << k << " throws " << error.what());
    }
  }
  return count;
}

/// The same for a source with a single file.
int refused_files(const std::string& id, const std::string& name, const std::string& content,
                  const std::string& parameter, Parameters more = {}) {
  const TempFolder folder;
  return refused(content, [&](const std::string& version) {
    auto parameters = more;
    parameters.emplace_back(parameter, folder.write(name, version));
    TestContext context(1);
    context.budget = std::size_t{1} << 24;
    const auto source = make_component<Source>(id, parameters);
    source->outline(context);
    const auto data = source->open(context);
    const Outline& outline = data->outline();
    CHECK(all_rows(*data).values.size() ==
          (outline.layout.ragged() ? outline.values : outline.rows() * outline.layout.size()));
  });
}

}  // namespace

TEST_CASE("damaged tables") {
  CHECK(refused_files("source/csv", "t.csv", "x,y,c\n1,2,a\n3,4.5,b\n\"5\",6e2,a\n7,8,b\n",
                      "path") > 50);
  CHECK(refused_files("source/libsvm", "t.txt", "1 1:2 3:4.5\n-1 2:1\n1 1:7 2:8 # x\n", "path") >
        50);
}

TEST_CASE("damaged series and strings") {
  CHECK(refused_files("source/ucr", "t.tsv", "1\t2\t3.5\n2\t-4e1\tNaN\n1\t7\t8\n", "path") > 50);
  CHECK(refused_files("source/ucr", "t.ts",
                      "@problemName t\n@univariate false\n@dimensions 2\n@equalLength false\n"
                      "@classLabel true a b\n@data\n1,2:3,4:a\n5:6:b\n7,?:8,9:a\n",
                      "path", {{"missing", std::string("interpolate")}}) > 50);
  CHECK(refused_files("source/ucr", "t.arff",
                      "@relation t\n@attribute x numeric\n@attribute y numeric\n"
                      "@attribute c {a,b}\n@data\n1,2,a\n3,?,b\n",
                      "path") > 50);
  CHECK(refused_files("source/strings", "t.tsv", "de\tgroß\nfr\tété\nde\tklein\n", "path") > 50);
  CHECK(refused_files("source/strings", "t.fa", ">a one\nACGT\nAC\n>b two\nGG\n", "path") > 20);
}

TEST_CASE("damaged arrays and idx files") {
  const std::string array = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }",
                                bytes_of<float>({1, 2, 3, 4, 5, 6}));
  CHECK(refused_files("source/npy", "t.npy", array, "path") > 50);
  const std::string idx =
      big_endian(0x803) + big_endian(3) + big_endian(2) + big_endian(2) + "abcdefghijkl";
  CHECK(refused_files("source/idx", "t.idx", idx, "test_images") > 50);
}

TEST_CASE("damaged compressed files") {
  for (const char* suffix : {".gz", ".xz", ".bz2", ".zst"}) {
    const TempFolder folder;
    std::string text;
    for (int i = 0; i < 60; ++i) text += std::to_string(i) + "," + std::to_string(i * i) + ",a\n";
    CHECK(refused_files("source/csv", "t.csv",
                        read_bytes(folder.write(std::string("t") + suffix, text)), "path") > 50);
  }
}

TEST_CASE("damaged pictures and archives") {
  const auto decode = [](const std::string& file) {
    const Picture p = decode_picture(
        {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, std::size_t{1} << 28);
    CHECK(p.values.size() == p.height * p.width * p.channels);
  };
  std::string pixels;
  for (int k = 0; k < 12 * 9; ++k) pixels += char(k * 37);
  CHECK(refused("P5 12 9 255\n" + pixels, decode) > 20);
  CHECK(refused("P3 2 2 99 1 2 3 4 5 6 7 8 9 10 11 12", decode) > 20);
  CHECK(refused(png_file(12, 9, 1, pixels), decode) > 50);
  CHECK(refused(jpeg_file(12, 9, pixels), decode) > 20);
  const TempFolder folder;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a/1.pgm", "P5 12 9 255\n" + pixels}, {"b/1.pgm", "P5 12 9 255\n" + pixels}};
  for (const char* name : {"t.tar.gz", "t.zip"})
    CHECK(refused_files("source/images", "t", read_bytes(folder.archive(name, files)), "path") >
          50);
}

}  // namespace damaged_files_test
