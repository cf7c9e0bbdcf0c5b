// SPDX-License-Identifier: MIT
#include "shared_studies.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace semblance::testing {
namespace {

namespace fs = std::filesystem;

/// JSON without dates, times, threads and memory, in the form of results or of a page's data.
void forget_times(nlohmann::json& json) {
  if (json.is_object())
    for (const char* changing :
         {"seconds", "wall_seconds", "choosing_seconds", "cached", "measured", "train_seconds",
          "predict_seconds", "predict_rows", "peak_memory_bytes", "memory_budget", "threads",
          "convergence_by_seconds", "convergence_by_seconds_tolerance", "started", "command",
          "slowest"})
      json.erase(changing);
  if (json.is_array())
    std::erase_if(json.get_ref<nlohmann::json::array_t&>(), [](const auto& item) {
      return item.is_object() && item.contains("x_unit") && item["x_unit"] == "seconds";
    });
  if (json.is_structured())
    for (auto& item : json) forget_times(item);
}

std::string json_of(const Workplace& work, const std::string& file) {
  auto json = nlohmann::json::parse(work.content(file));
  forget_times(json);
  return json.dump();
}

/// A page with its data without times.
std::string timeless(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const std::size_t from = page.find(begin), end = page.find("</script>", from);
  REQUIRE(end != std::string::npos);
  auto data = nlohmann::json::parse(page.substr(from + begin.size(), end - from - begin.size()));
  forget_times(data);
  return page.substr(0, from) + data.dump() + page.substr(end);
}

}  // namespace

std::string left_behind(const Workplace& work, const std::string& out) {
  std::string all = work.content(out + "/table.csv") + work.content(out + "/table.md") +
                    work.content(out + "/table.tex") + json_of(work, out + "/study.json") +
                    work.content(out + "/study.yaml");
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(work.path / out))
    if (item.is_regular_file() && item.path().string().find("/variants/") != std::string::npos)
      files.push_back(item.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    const std::string name = file.lexically_relative(work.path).string();
    all += file.lexically_relative(work.path / out).string() + "\n";
    all += file.extension() == ".json"   ? json_of(work, name)
           : file.extension() == ".html" ? timeless(work.content(name))
                                         : work.content(name);
  }
  return all + timeless(work.content(out + "/report.html"));
}

std::string difference(const std::string& one, const std::string& other) {
  if (one == other) return "";
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  const std::size_t from = at > 200 ? at - 200 : 0;
  return one.substr(from, 400) + "\n----- the other:\n" +
         other.substr(std::min(from, other.size()), 400);
}

int units_done(const Workplace& work, const std::string& out) {
  int count = 0;
  for (const auto& item : fs::directory_iterator(work.path / out / "joint/workers")) {
    const std::string file = (item.path() / "worker.json").lexically_relative(work.path).string();
    const auto worker = nlohmann::json::parse(work.content(file));
    for (const auto& [component, sum] : worker.at("done").items())
      count += sum.at("count").get<int>();
  }
  return count;
}

nlohmann::json status_of(const Workplace& work, const std::string& out) {
  return nlohmann::json::parse(work.succeed("study status " + out + " --json").output);
}

}  // namespace semblance::testing
