// SPDX-License-Identifier: MIT
#include "pipeline/pipeline_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pipeline/yaml/yaml_syntax.hpp"

namespace semblance {
namespace {

std::string system_problem() { return std::string("cannot be read: ") + std::strerror(errno); }

/// Reads the open file; returns an error text, or "".
std::string read_text(int descriptor, std::string& text) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    return "is a folder, not a pipeline";
  char buffer[1 << 16];
  ssize_t got = 0;
  while (text.size() <= largest_pipeline && (got = read(descriptor, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(got));
  if (got < 0) return system_problem();
  if (text.size() > largest_pipeline)
    return "is too large for a pipeline (more than " + std::to_string(largest_pipeline) + " bytes)";
  return "";
}

}  // namespace

PipelineFile read_pipeline_file(const std::filesystem::path& file) {
  PipelineFile content;
  std::string problem;
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    problem = errno == ENOENT ? "no such file" : system_problem();
  } else {
    problem = read_text(descriptor, content.text);
    close(descriptor);
  }
  if (problem.empty()) return content;
  content.problem.emplace();
  content.problem->file = file.string();
  content.problem->message = problem;
  return content;
}

std::string without_byte_order_mark(const std::string& text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

}  // namespace semblance
