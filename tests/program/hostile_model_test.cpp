// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <stdlib.h>

#include <fstream>
#include <functional>

#include "program.hpp"
#include "support/files/hash.hpp"

namespace hostile_model_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

// Models may be from untrusted sources: with any content, they are applied or refused with a
// message, and they are never more than data.

namespace {

constexpr const char* pipeline = R"(name: small
nodes:
  t:     {is: source/xor, train: 60, test: 20}
  x:     {is: normalizer/zscore, from: t}
  bases: {is: basis/random_per_class, per_class: 3, from: t}
  rbf:   {is: similarity/rbf, gamma: 1, from: x, bases: bases}
  svm:   {is: solver/linear_svm, from: rbf}
)";

/// A trained model in out/model.
void train(const Workplace& work) {
  work.file("p.yaml", pipeline);
  work.succeed("run p.yaml --out out --quiet");
}

/// Refused with one line of words: no signal, no other exit.
void check_refused(const Workplace& work, const std::string& message) {
  const auto outcome = work("predict out/model --out p --quiet");
  CAPTURE(message);
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(outcome.output.find(message) != std::string::npos);
}

/// The text of model.json with correct checksums of it and of the states: an attacker can compute
/// them as well.
std::string sealed(const Workplace& work, nlohmann::ordered_json json) {
  const auto model = work.path / "out/model";
  for (auto& [name, entry] : json.at("files").items())
    entry = {{"bytes", fs::file_size(model / name)},
             {"xxh3", semblance::hash_of_file(model / name)}};
  json.erase("xxh3");
  const std::string checksum = semblance::hash_of(json.dump());
  json["xxh3"] = checksum;
  return json.dump(1) + "\n";
}

/// model.json after `change`, for as long as the object lives.
class ChangedModel {
 public:
  ChangedModel(const Workplace& work, const std::function<void(nlohmann::ordered_json&)>& change)
      : work_(work), before_(work.content(name_)) {
    auto json = nlohmann::ordered_json::parse(before_);
    change(json);
    work.file(name_, sealed(work, std::move(json)));
  }
  ~ChangedModel() { work_.file(name_, before_); }
  ChangedModel(const ChangedModel&) = delete;
  ChangedModel& operator=(const ChangedModel&) = delete;

 private:
  static constexpr const char* name_ = "out/model/model.json";
  const Workplace& work_;
  std::string before_;
};

}  // namespace

TEST_CASE("what a model claims is compared with what is there") {
  const Workplace work;
  train(work);
  const auto claims = [&](const char* node, const char* extent, const nlohmann::json& value,
                          const std::string& message) {
    const ChangedModel changed(work,
                               [&](auto& json) { json["nodes"][node]["layout"][extent] = value; });
    check_refused(work, message);
  };
  claims("rbf", "depth", 1000000, "its learned state gives 6 values per row, not the 1000000");
  claims("rbf", "depth", 5,
         "its learned state gives 6 values per row, not the 5 that the pipeline expects");
  claims("rbf", "depth", -1, "depth is -1, not a number from 0 to 2147483647");
  claims("rbf", "height", 2147483647u, "it claims a vector of 6");
  claims("rbf", "kind", "cube", "unknown layout 'cube'");
  const ChangedModel classes(work, [](auto& json) {
    json["sources"]["t"]["classes"] = {"a", "b", "c", "d", "e"};
  });
  check_refused(work, "a model of 2 classes cannot give 5 scores; train it again");
}

TEST_CASE("a model that is nested as deep as a file can be is refused") {
  const Workplace work;
  train(work);
  const std::string before = work.content("out/model/model.json");
  work.file("out/model/model.json", std::string(1000000, '['));
  check_refused(work, "nested 1000000 levels deep, but the limit is 64");
  const std::string state = "out/model/nodes/svm/part_0/state.json";
  work.file(state, std::string(1000000, '['));
  work.file("out/model/model.json", sealed(work, nlohmann::ordered_json::parse(before)));
  check_refused(work, "nested 1000000 levels deep");
}

TEST_CASE("a model is read from regular files alone, and an object has a limited number of keys") {
  const Workplace work;
  train(work);
  const std::string name = "out/model/model.json";
  std::string keys = "{\"a\":0";
  for (int i = 0; i < 60'000; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  work.file(name, keys + "}");
  check_refused(work, "an object with 60001 keys, but the limit is 50000");
  for (const char* end : {"ln -s /dev/zero", "mkfifo"}) {
    fs::remove(work.path / name);
    REQUIRE(work.shell(std::string(end) + " " + name).exit == 0);
    check_refused(work, "model.json': it is not a regular file");
  }
}

TEST_CASE("weights that are not finite are refused") {
  const Workplace work;
  train(work);
  const fs::path state = work.path / "out/model/nodes/svm/part_0";
  fs::path largest;
  for (const auto& item : fs::directory_iterator(state))
    if (item.path().extension() == ".npy" &&
        (largest.empty() || item.file_size() > fs::file_size(largest)))
      largest = item.path();
  std::fstream io(largest, std::ios::in | std::ios::out | std::ios::binary);
  io.seekp(-4, std::ios::end);
  io.write("\xff\xff\xff\x7f", 4);  // NaN, as the end of a double too
  io.close();
  const ChangedModel changed(work, [](auto&) {});
  check_refused(work, "has a value that is not finite");
}

TEST_CASE("names in a model do not steer the terminal") {
  const Workplace work;
  train(work);
  const ChangedModel changed(work, [](auto& json) {
    json["nodes"]["rbf"]["layout"]["kind"] = "cube\x1b[2J\xc2\x9b\xe2\x80\xae";
  });
  check_refused(work, "unknown layout 'cube?[2J?\?'");
}

TEST_CASE("equal models are equal files") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  work.succeed("run p.yaml --out one --quiet --no-cache");
  work.succeed("run p.yaml --out two --quiet --no-cache");
  CHECK(work.content("one/model/model.json") == work.content("two/model/model.json"));
}

TEST_CASE("whatever happens to the bytes of a model, it is applied or refused") {
  const Workplace work;
  train(work);
  int refused = 0;
  for (const auto& item : fs::recursive_directory_iterator(work.path / "out/model")) {
    if (!item.is_regular_file()) continue;
    const std::string name = fs::relative(item.path(), work.path).string();
    const std::string whole = work.content(name);
    for (const std::size_t at : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      work.file(name, damaged);
      const auto outcome = work("predict out/model --out p --quiet");
      INFO(name << " at " << at << "\n" << outcome.output);
      CHECK((outcome.exit >= 0 && outcome.exit <= 2));
      refused += outcome.exit != 0;
    }
    work.file(name, whole.substr(0, whole.size() / 2));
    CHECK(work("predict out/model --out p --quiet").exit > 0);
    work.file(name, whole);
  }
  CHECK(refused > 5);
  CHECK(work("predict out/model --out p --quiet").exit == 0);
}

TEST_CASE("libraries in a model or a store are never loaded") {
  const Workplace work;
  const fs::path library = fs::path(SEMBLANCE_TEST_PLUGINS) / "marking.so";
  const fs::path mark = work.path / "mark";
  ::setenv("SEMBLANCE_TEST_MARK", mark.c_str(), 1);
  // The mark is left where the library is named by the user, so that its absence means something.
  work("list --plugin-path " + library.string());
  REQUIRE(fs::exists(mark));
  fs::remove(mark);

  train(work);
  for (const char* folder :
       {"out/model", "out/model/plugins", "out/model/nodes/svm", "out/model/nodes/svm/part_0",
        "out/model/lib/semblance/plugins", "cache", "cache/plugins", "cache/artifacts", "."}) {
    fs::create_directories(work.path / folder);
    fs::copy_file(library, work.path / folder / "libmarking.so");
  }
  CHECK(work("predict out/model --out p --quiet").exit == 0);
  CHECK(work("run p.yaml --out again --quiet").exit == 0);

  // Nor where something in the model names it as if it were a component.
  const std::string path = (work.path / "out/model/libmarking.so").string();
  const std::string whole = work.content("out/model/pipeline.yaml");
  for (const std::string& id : {path, "solver/../" + path, std::string("solver/libmarking.so")}) {
    std::string named = whole;
    const std::string before = "solver/linear_svm";
    named.replace(named.find(before), before.size(), id);
    work.file("out/model/pipeline.yaml", named);
    const ChangedModel changed(work,
                               [&](auto& json) { json["nodes"]["svm"]["component"]["is"] = id; });
    CHECK(work("predict out/model --out p --quiet").exit == 2);
  }
  CHECK_FALSE(fs::exists(mark));
  ::unsetenv("SEMBLANCE_TEST_MARK");
}

TEST_CASE("names of columns that a model claims are compared with its rows") {
  const Workplace work;
  train(work);
  const auto claims = [&](const nlohmann::json& columns, const std::string& message) {
    const ChangedModel changed(work,
                               [&](auto& json) { json["sources"]["t"]["columns"] = columns; });
    check_refused(work, message);
  };
  claims({"a", "b", "c"}, "it names 3 columns, but its rows are each a vector of 2");
  claims({"a", "a"}, "two of its columns have the same name");
  claims({"a", 7}, "model.json: type must be string, but is number");
  claims("a", "model.json: type must be array, but is string");
}

}  // namespace hostile_model_test
