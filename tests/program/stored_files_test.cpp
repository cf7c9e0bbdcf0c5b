// SPDX-License-Identifier: MIT
// Names of files and folders are data if a component reads a folder: artifacts for other names are
// not used, and the location of the folder does not matter.
#include <doctest/doctest.h>

#include "program.hpp"

namespace stored_files_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

const std::string pictures = R"(name: pictures
nodes:
  photos: {is: source/images, path: set, color: grey, test_path: more}
  svm:    {is: solver/linear_svm, from: photos}
  test:   {is: evaluator/classification, from: svm}
)";

/// A grey picture of 4 x 4 pixels that depends on `number`.
std::string picture(int number) {
  std::string pixels;
  for (int p = 0; p < 16; ++p) pixels += char(number * 37 + p * (number % 5) * 11);
  return "P5 4 4 255\n" + pixels;
}

/// Pictures 0 to 11 in three classes, and 12 to 17 to test on.
void write_pictures(const Workplace& work) {
  const char* classes[] = {"ants", "bees", "cats"};
  for (int i = 0; i < 12; ++i)
    work.file("set/" + std::string(classes[i / 4]) + "/" + std::to_string(10 + i) + ".pgm",
              picture(i));
  for (int i = 12; i < 18; ++i)
    work.file("more/" + std::string(classes[(i - 12) / 2]) + "/" + std::to_string(10 + i) + ".pgm",
              picture(i));
}

void run(const Workplace& work, const std::string& arguments) {
  const auto outcome = work("run p.yaml --data . --quiet " + arguments);
  REQUIRE_MESSAGE(outcome.exit == 0, outcome.output);
}

void check_believed(const Workplace& work) {
  run(work, "--out stored");
  run(work, "--out alone --no-cache");
  CHECK((results_of(work, "stored") == results_of(work, "alone")));
}

void rename(const Workplace& work, const std::string& from, const std::string& to) {
  fs::create_directories((work.path / to).parent_path());
  fs::rename(work.path / from, work.path / to);
}

}  // namespace

TEST_CASE("pictures that change their class change the result") {
  const Workplace work;
  work.file("p.yaml", pictures);
  write_pictures(work);
  run(work, "--out first");
  SUBCASE("in the order that they had") { rename(work, "set/ants/13.pgm", "set/bees/13.pgm"); }
  SUBCASE("with their class") {
    rename(work, "set/cats", "set/cows");
    rename(work, "more/cats", "more/cows");
  }
  SUBCASE("where two classes become one") {
    for (int i = 18; i < 22; ++i)
      rename(work, "set/cats/" + std::to_string(i) + ".pgm",
             "set/bees/" + std::to_string(i) + ".pgm");
    fs::remove(work.path / "set/cats");
    rename(work, "more/cats/26.pgm", "more/bees/26.pgm");
    rename(work, "more/cats/27.pgm", "more/bees/27.pgm");
    fs::remove(work.path / "more/cats");
  }
  SUBCASE("from training to testing, in the order that they had") {
    rename(work, "set/cats/21.pgm", "more/ants/21.pgm");
  }
  check_believed(work);
}

TEST_CASE("a folder that moves as a whole is known") {
  const Workplace work;
  work.file("p.yaml", pictures);
  write_pictures(work);
  run(work, "--out first");
  rename(work, "set", "elsewhere/pictures");
  run(work, "--out second --set nodes.photos.path=elsewhere/pictures");
  CHECK(work.metrics("second").at("nodes").at("svm").at("cached").get<bool>());
  CHECK(predictions(work, "first") == predictions(work, "second"));
}

TEST_CASE("people who are renamed are other classes") {
  const Workplace work;
  work.file("p.yaml", R"(name: faces
nodes:
  faces: {is: source/lfw, path: ., images: faces, task: interexample, classes: 2,
          examples_per_class: 1}
  svm:   {is: solver/linear_svm, from: faces}
  test:  {is: evaluator/classification, from: svm}
)");
  int number = 0;
  for (const char* person : {"Ann", "Bob"})
    for (int i = 1; i <= 2; ++i)
      work.file(std::string("faces/") + person + "/" + person + "_000" + std::to_string(i) + ".pgm",
                picture(number++));
  run(work, "--out first");
  fs::create_directories(work.path / "faces/Cid");
  for (const char* n : {"1", "2"})
    rename(work, std::string("faces/Bob/Bob_000") + n + ".pgm",
           std::string("faces/Cid/Cid_000") + n + ".pgm");
  fs::remove(work.path / "faces/Bob");
  check_believed(work);
  CHECK(predictions(work, "stored").find("Cid") != std::string::npos);
}

}  // namespace stored_files_test
