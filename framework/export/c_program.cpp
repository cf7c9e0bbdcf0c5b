// SPDX-License-Identifier: MIT
#include "export/c_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "semblance/error.hpp"

extern char** environ;

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// The words of $CC, which may include options.
std::vector<std::string> compiler_words() {
  const char* given = std::getenv("CC");
  std::istringstream words(given ? given : "");
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  if (all.empty()) all.emplace_back("cc");
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

struct Files {
  fs::path in = "/dev/null";
  fs::path out = "/dev/null";
  fs::path errors = "/dev/null";
};

class SpawnActions {
 public:
  explicit SpawnActions(const Files& files) {
    posix_spawn_file_actions_init(&actions_);
    const int fresh = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions_, 0, files.in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, files.out.c_str(), fresh, 0600);
    posix_spawn_file_actions_addopen(&actions_, 2, files.errors.c_str(), fresh, 0600);
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// The exit status, as from wait(). Throws Error where the program cannot be started.
int run_program(const std::vector<std::string>& words, const Files& files) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const SpawnActions actions(files);
  pid_t process = 0;
  const int failure =
      posix_spawnp(&process, arguments[0], actions.get(), nullptr, arguments.data(), environ);
  if (failure != 0) throw Error(std::string(std::strerror(failure)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw Error(std::string("waitpid: ") + std::strerror(errno));
  return status;
}

std::string beginning_of(const fs::path& file) {
  std::ifstream in(file);
  std::string text(2000, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

void write_bytes(const fs::path& file, const void* data, std::size_t bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  out.flush();
  if (!out) throw Error("cannot write '" + file.string() + "': the disk may be full");
}

/// A main program that reads rows of float32 and writes the class and the scores of each.
std::string driver(const std::string& name, std::size_t inputs, std::size_t classes) {
  const std::string n = std::to_string(inputs), c = std::to_string(classes);
  return "#include <stdio.h>\nint " + name +
         "_predict(const float *row, float *scores);\nstatic float row[" + n + "], scores[" + c +
         "];\nint main(void) {\n  while (fread(row, sizeof row, 1, stdin) == 1) {\n    int k = " +
         name +
         "_predict(row, scores);\n    if (fwrite(&k, sizeof k, 1, stdout) != 1 || fwrite(scores, "
         "sizeof scores, 1, stdout) != 1) return 1;\n  }\n  return fflush(stdout) == 0 ? 0 : "
         "1;\n}\n";
}

}  // namespace

CProgram::CProgram(const std::string& source, const std::string& name, std::size_t inputs,
                   std::size_t classes)
    : inputs_(inputs), classes_(classes) {
  const fs::path file = folder_.path() / "machine.c", main = folder_.path() / "main.c";
  write_bytes(file, source.data(), source.size());
  const std::string text = driver(name, inputs, classes);
  write_bytes(main, text.data(), text.size());
  std::vector<std::string> words = compiler_words();
  words.insert(words.end(), {"-std=c99", "-O2"});
  compiler_ = joined(words);
  words.insert(words.end(),
               {"-o", (folder_.path() / "machine").string(), file.string(), main.string(), "-lm"});
  const Files files{.errors = folder_.path() / "errors"};
  int status = 0;
  try {
    status = run_program(words, files);
  } catch (const Error& problem) {
    throw Error("cannot start the C compiler '" + compiler_words().front() +
                "': " + problem.what() +
                "; install one (Debian: apt install gcc), name one in CC, or write without a proof "
                "(--unproved)");
  }
  if (status != 0)
    throw Error("the C compiler '" + compiler_ +
                "' does not take the exported file: " + beginning_of(files.errors));
}

ExportedScores CProgram::scores(MatrixView rows) const {
  std::vector<float> plain;
  plain.reserve(rows.rows * inputs_);
  for (std::size_t i = 0; i < rows.rows; ++i)
    plain.insert(plain.end(), rows.row(i), rows.row(i) + inputs_);
  const Files files{folder_.path() / "rows", folder_.path() / "scores", folder_.path() / "errors"};
  write_bytes(files.in, plain.data(), plain.size() * sizeof(float));
  int status = 0;
  try {
    status = run_program({(folder_.path() / "machine").string()}, files);
  } catch (const Error& problem) {
    throw Error("cannot start the exported program, compiled by '" + compiler_ +
                "': " + problem.what() +
                "; name a compiler for this machine in CC, or a folder where "
                "programs may run in TMPDIR");
  }
  if (status != 0)
    throw Error("the exported C program ended with status " + std::to_string(status) +
                (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV
                     ? ": its intermediate values may not fit on the stack (ulimit -s)"
                     : ""));
  std::ifstream in(files.out, std::ios::binary);
  ExportedScores result{std::vector<std::int32_t>(rows.rows), FloatMatrix(rows.rows, classes_)};
  for (std::size_t i = 0; i < rows.rows; ++i) {
    int found = 0;
    in.read(reinterpret_cast<char*>(&found), sizeof found);
    in.read(reinterpret_cast<char*>(result.scores.view().row(i)),
            static_cast<std::streamsize>(classes_ * sizeof(float)));
    result.classes[i] = found;
  }
  if (!in || in.peek() != std::ifstream::traits_type::eof())
    throw Error("the exported C program gave an unexpected number of scores");
  return result;
}

}  // namespace semblance
