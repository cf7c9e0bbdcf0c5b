// SPDX-License-Identifier: MIT
#include "runtime/sources/slow_data.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/nodes/node.hpp"
#include "runtime/plan.hpp"
#include "runtime/sources/folds.hpp"
#include "runtime/sources/stored_data.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Files that together are smaller are read again: they take milliseconds.
constexpr std::uintmax_t least_bytes = std::uintmax_t{1} << 20;

/// What reading may always take.
constexpr std::size_t least_memory = std::size_t{1} << 20;

/// Text takes a quarter of its bytes then, or less.
bool is_compressed(const std::string& file) {
  const auto ending = fs::path(file).extension();
  return ending == ".gz" || ending == ".xz" || ending == ".bz2" || ending == ".zst";
}

/// Sizes and times of change of the files that a source reads, and what the sizes add up to
/// when they are not compressed.
struct FileStates {
  std::vector<std::pair<std::uintmax_t, fs::file_time_type>> files;
  std::uintmax_t bytes = 0;
  bool all_there = true;

  explicit FileStates(const Source& source) {
    for (const std::string& file : source.files()) {
      std::error_code failure, other;
      files.emplace_back(fs::file_size(file, failure), fs::last_write_time(file, other));
      all_there = all_there && !failure && !other;
      if (!failure) bytes += files.back().first * (is_compressed(file) ? 4 : 1);
    }
  }
  bool operator==(const FileStates& other) const { return files == other.files; }
};

/// What a source reads with before the plan is made: the memory beside the program. What it tells
/// is passed on, and written down.
class ReadingServices {
 public:
  ReadingServices(const RunServices& services, std::string subject)
      : services_(services), subject_(std::move(subject)) {
    services_.free_memory = [free = services.free_memory] {
      return std::max(free(), program_bytes + least_memory) - program_bytes;
    };
    services_.log = [this, pass_on = services.log](LogLevel level, const std::string& line) {
      pass_on(level, line);
      if (level == LogLevel::debug || !line.starts_with(subject_)) return;
      const std::lock_guard lock(mutex_);
      lines_.push_back(
          {{"warning", level == LogLevel::warning}, {"text", line.substr(subject_.size())}});
    };
  }
  RunServices& services() noexcept { return services_; }
  const Json& lines() const noexcept { return lines_; }

 private:
  RunServices services_;
  std::string subject_;
  std::mutex mutex_;
  Json lines_ = Json::array();
};

/// How messages about a source begin.
std::string subject_of(const Node& source) { return name_of_data(*source.spec) + ": "; }

void tell_again(const Json& lines, const Node& source, RunServices& services) {
  for (const Json& line : lines)
    services.log(line.at("warning").get<bool>() ? LogLevel::warning : LogLevel::info,
                 subject_of(source) + line.at("text").get<std::string>());
}

}  // namespace

std::shared_ptr<const Dataset> SlowData::open(const Node& source) {
  const auto& component = source.as<Source>();
  if (!component.reads_slowly()) return nullptr;
  const FileStates before(component);
  if (!before.all_there || before.bytes < least_bytes) return nullptr;
  const std::string key = data_key(source, catalogue_, hashes_);
  if (const auto known = opened_.find(key); known != opened_.end()) return known->second;
  std::shared_ptr<const Dataset> data = stored(source, key);
  if (!data) data = read(source, key);
  if (!(FileStates(component) == before))
    throw Error("its files were changed while they were read; start again when they are whole");
  return opened_[key] = std::move(data);
}

std::shared_ptr<const Dataset> SlowData::stored(const Node& source, const std::string& key) {
  const auto damaged = [&](const std::string& what) { services_.log(LogLevel::warning, what); };
  const auto found = store_.find(key, damaged);
  if (!found) return nullptr;
  try {
    auto data = std::make_shared<StoredData>(found->folder, found->note.at("data"));
    tell_again(found->note.at("told"), source, services_);
    return data;
  } catch (const std::exception& problem) {
    services_.log(LogLevel::warning, subject_of(source) +
                                         "what the store has of it cannot be used (" +
                                         problem.what() + "); its files are read again");
    return nullptr;
  }
}

std::shared_ptr<const Dataset> SlowData::read(const Node& source, const std::string& key) {
  const PipelineNode& spec = *source.spec;
  ReadingServices reading(services_, subject_of(source));
  NodeContext context(reading.services(), spec.name, mixed_seed(spec.seed, spec.component.id), 0,
                      name_of_data(spec));
  const std::shared_ptr<const Dataset> opened = source.as<Source>().open(context);
  try {
    const auto draft = store_.draft(key);
    const Json facts = StoredData::write(*opened, draft->folder(), context);
    const fs::path folder = draft->commit({{"data", facts}, {"told", reading.lines()}}, true);
    return std::make_shared<StoredData>(folder, facts);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& problem) {
    services_.log(LogLevel::warning,
                  subject_of(source) + "what was read is not kept in the store: " + problem.what() +
                      "; the next run reads it again");
    return nullptr;
  }
}

}  // namespace semblance
