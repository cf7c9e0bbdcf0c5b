// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "test_components.hpp"

namespace semblance::testing::wrong_files_test {
namespace {

namespace fs = std::filesystem;

/// A separate folder, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "semblance_pipeline_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content = "x") const {
    fs::create_directories(fs::path(path_ + "/" + name).parent_path());
    std::ofstream(path_ + "/" + name, std::ios::binary) << content;
    return path_ + "/" + name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

CheckOptions with_data(const std::string& data) {
  CheckOptions options;
  options.data = data;
  return options;
}

std::string load(const fs::path& file) {
  CheckOptions options = with_data("/data");
  options.check_files = false;
  return render(load_pipeline(file, test_catalogue(), options).diagnostics);
}

TEST_CASE("a pipeline is read from its file") {
  const Folder folder;
  CheckOptions options = with_data("/data");
  options.check_files = false;
  const fs::path file = folder.write("good.yaml", good_text);
  const auto result = load_pipeline(file, test_catalogue(), options);
  REQUIRE(result.pipeline);
  CHECK(result.pipeline->file == file);
}

TEST_CASE("files that are no pipelines") {
  const Folder folder;
  CHECK(load(folder / "none.yaml") == folder / "none.yaml: error: no such file\n");
  CHECK(load(folder.path()) == folder.path() + ": error: is a folder, not a pipeline\n");
  CHECK(load(folder.write("empty.yaml", "")) ==
        folder /
            "empty.yaml: error: the file is empty\n"
            "      = a pipeline needs at least a name and nodes\n");
  CHECK(load(folder.write("large.yaml", std::string(3'000'000, '#'))) ==
        folder / "large.yaml: error: is too large for a pipeline (more than 1048576 bytes)\n");
  CHECK(load("/dev/zero") ==
        "/dev/zero: error: is too large for a pipeline (more than 1048576 bytes)\n");
  CHECK(load(folder.write("latin.yaml", "name: gr\xFCn\n")) ==
        folder /
            "latin.yaml:1:9: error: not UTF-8 text: byte 0xFC is not allowed here\n"
            "    1 | name: gr?n\n"
            "      |         ^\n"
            "      = save the file as UTF-8\n");
  CHECK(load(folder.write("file", "x") + "/below.yaml") ==
        folder / "file/below.yaml: error: cannot be read: Not a directory\n");
}

TEST_CASE("a pipeline that may not be read") {
  if (geteuid() == 0) {
    MESSAGE("skipped: root may read everything");
    return;
  }
  const Folder folder;
  const std::string file = folder.write("secret.yaml", good_text);
  chmod(file.c_str(), 0);
  CHECK(load(file) == file + ": error: cannot be read: Permission denied\n");
}

std::string check_data(const Folder& folder, const std::string& text, bool files = true) {
  CheckOptions options = with_data(folder.path());
  options.check_files = files;
  return render(check_pipeline(text, "p.yaml", test_catalogue(), options).diagnostics);
}

TEST_CASE("data that are there") {
  const Folder folder;
  folder.write("cifar/batch_1.bin");
  folder.write("cifar/batch_2.bin");
  CHECK(check_data(folder, good_text) == "");
}

TEST_CASE("data that are missing are named in full, with what to do about it") {
  const Folder folder;
  folder.write("cifar10/batch_1.bin");
  const std::string line =
      "    5 |   images: {is: source/images, path: cifar}\n"
      "      |                                     ^~~~~\n";
  const std::string remedy =
      "(the data folder is '" + folder.path() + "'; set it with --data DIR or $SEMBLANCE_DATA)\n";
  CHECK(check_data(folder, good_text) == "p.yaml:5:37: error: '" +
                                             folder / "cifar' does not exist\n" + line +
                                             "      = did you mean 'cifar10'? " + remedy);
  folder.write("cifar/batch_1.bin");
  CHECK(check_data(folder, good_text) == "p.yaml:5:37: error: '" +
                                             folder / "cifar/batch_2.bin' does not exist\n" + line +
                                             "      = did you mean 'batch_1.bin'? " + remedy);
  CHECK(check_data(folder, good_text, false) == "");
}

TEST_CASE("a data folder that is missing") {
  const Folder folder;
  const std::string missing = folder / "none";
  const auto result = check_pipeline(good_text, "p.yaml", test_catalogue(), with_data(missing));
  CHECK(render(result.diagnostics) ==
        "p.yaml:5:37: error: '" + missing + "/cifar' does not exist\n" +
            "    5 |   images: {is: source/images, path: cifar}\n"
            "      |                                     ^~~~~\n"
            "      = the data folder '" +
            missing + "' does not exist; set it with --data DIR or $SEMBLANCE_DATA\n");
}

TEST_CASE("absolute paths, paths of --set, paths of parts") {
  const Folder folder;
  folder.write("cifar/batch_1.bin");
  folder.write("cifar/batch_2.bin");
  const std::string text = changed("path: cifar", "path: /nowhere/near");
  CHECK(check_data(folder, text) == R"(p.yaml:5:37: error: '/nowhere/near' does not exist
    5 |   images: {is: source/images, path: /nowhere/near}
      |                                     ^~~~~~~~~~~~~
      = there is no folder '/nowhere'
)");

  CheckOptions options = with_data("/data");
  options.overrides = {"nodes.images.path=/nowhere/near"};
  CHECK(render(check_pipeline(good_text, "p.yaml", test_catalogue(), options).diagnostics) ==
        R"(--set: error: '/nowhere/near' does not exist
      | nodes.images.path=/nowhere/near
      |                   ^~~~~~~~~~~~~
      = there is no folder '/nowhere'
)");

  const std::string part =
      changed("linear_svm, C: 10", "kernel_svm, kernel: {is: similarity/precomputed, matrix: /m}");
  CHECK(check_data(folder, part) == R"(p.yaml:10:77: error: '/m' does not exist
   10 |   svm: {is: solver/kernel_svm, kernel: {is: similarity/precomputed, matrix: /m}, from: rbf}
      |                                                                             ^~
)");
}

TEST_CASE("each path of a component is reported at its own place") {
  const Folder folder;
  const std::string text = R"(name: t
nodes:
  t: {is: source/table, file: /a.csv, labels: /a.txt}
  svm: {is: solver/linear_svm, from: t}
)";
  CHECK(check_data(folder, text) == R"(p.yaml:3:31: error: '/a.csv' does not exist
    3 |   t: {is: source/table, file: /a.csv, labels: /a.txt}
      |                               ^~~~~~
p.yaml:3:47: error: '/a.txt' does not exist
    3 |   t: {is: source/table, file: /a.csv, labels: /a.txt}
      |                                               ^~~~~~
)");
}

/// The message about data that are a table at this path.
std::string check_table(const Folder& folder, const std::string& path) {
  return check_data(folder, "name: t\nnodes:\n  t: {is: source/table, file: " + path +
                                ", labels: " + path +
                                "}\n  svm: {is: solver/linear_svm, from: t}\n");
}

TEST_CASE("data that are there and cannot be read get their remedy, not a name they might mean") {
  const Folder folder;
  fs::create_symlink("loop.csv", folder / "loop.csv");
  const std::string loop = check_table(folder, "loop.csv");
  INFO(loop);
  CHECK(loop.find("loop.csv' cannot be accessed: Too many levels of symbolic links\n") !=
        std::string::npos);
  CHECK(loop.find("= check the permissions of the folders and links that lead to it\n") !=
        std::string::npos);
  CHECK(loop.find("did you mean") == std::string::npos);
  if (geteuid() == 0) return;  // root may read everything
  const std::string file = folder.write("secret.csv", "1,a\n");
  chmod(file.c_str(), 0);
  const std::string secret = check_table(folder, "secret.csv");
  INFO(secret);
  CHECK(secret.find("secret.csv' is not readable\n") != std::string::npos);
  CHECK(secret.find("the file exists: make it readable (chmod u+r)") != std::string::npos);
  CHECK(secret.find("did you mean") == std::string::npos);
}

TEST_CASE("data that can be read only once are refused") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/null"), folder / "pipe"}) {
    const std::string message = check_table(folder, path);
    INFO(message);
    CHECK(message.find("'" + path +
                       "' is a pipe or a device, which can be read only once, but "
                       "data are read several times") != std::string::npos);
    CHECK(message.find("= save its output to a file and name that file") != std::string::npos);
  }
}

TEST_CASE("components get what the caller has for them before they name their files") {
  const Folder folder;
  CheckOptions options = with_data(folder.path());
  std::vector<std::string> nodes;
  options.prepare = [&](const std::string& node, Component&) {
    nodes.push_back(node);
    if (node == "svm") throw Error("it is refused");
  };
  const auto result = check_pipeline(good_text, "p.yaml", test_catalogue(), options);
  CHECK(std::count(nodes.begin(), nodes.end(), "images") == 1);
  CHECK(render(result.diagnostics).find("error: it is refused") != std::string::npos);
}

}  // namespace
}  // namespace semblance::testing::wrong_files_test
