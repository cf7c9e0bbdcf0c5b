// SPDX-License-Identifier: MIT
#include "runtime/sources/slow_data.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "pipeline/node_identity.hpp"
#include "runtime/graph/node.hpp"
#include "runtime/graph/node_files.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/sources/folds.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Files of a smaller total size are not stored: to read them again takes milliseconds.
constexpr std::uintmax_t least_bytes = std::uintmax_t{1} << 20;

/// The memory that reading may always take.
constexpr std::size_t least_memory = std::size_t{1} << 20;

/// What is retained without a store takes at most this part of the free memory.
constexpr std::size_t retained_part = 8;

/// Compressed text takes a quarter of its size, or less.
bool is_compressed(const std::string& file) {
  const auto ending = fs::path(file).extension();
  return ending == ".gz" || ending == ".xz" || ending == ".bz2" || ending == ".zst";
}

/// The total size of the source's files when decompressed; 0 where one cannot be read.
std::uintmax_t text_bytes(const Source& source) {
  std::uintmax_t bytes = 0;
  for (const std::string& file : source.files()) {
    const FileState state = file_state(file);
    if (!state.there) return 0;
    bytes += state.bytes * (is_compressed(file) ? 4 : 1);
  }
  return bytes;
}

/// The states of the source's files.
SharedData::States states_of(const Source& source) {
  SharedData::States states;
  for (const std::string& file : source.files()) states.push_back(file_state(file));
  return states;
}

/// The services with which a source reads before the plan is made: its memory is what the program
/// leaves. Its messages are passed on, and recorded.
class ReadingServices {
 public:
  ReadingServices(const RunServices& services, std::string subject)
      : services_(services), subject_(std::move(subject)) {
    services_.free_memory = [free = services.free_memory] {
      const std::size_t all = free(), own = program_bytes(all);
      return std::max(all, own + least_memory) - own;
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

/// The start of messages about a source.
std::string subject_of(const NodeFacts& source) { return name_of_data(*source.spec) + ": "; }

void repeat_log_lines(const Json& lines, const NodeFacts& source, RunServices& services) {
  for (const Json& line : lines)
    services.log(line.at("warning").get<bool>() ? LogLevel::warning : LogLevel::info,
                 subject_of(source) + line.at("text").get<std::string>());
}

}  // namespace

std::shared_ptr<const Dataset> SlowData::open(const Node& source) {
  const auto& component = source.as<Source>();
  if (!component.reads_slowly()) return nullptr;
  const std::uintmax_t bytes = text_bytes(component);
  if (bytes < (store_ ? least_bytes : 1)) return nullptr;
  if (!store_) return retained(source, bytes);
  const std::string key = data_key(source, catalogue_, files_);
  if (const auto known = opened_.find(key); known != opened_.end()) return known->second;
  std::shared_ptr<const Dataset> data = stored(source, key);
  if (!data) data = read(source, key);
  return opened_[key] = std::move(data);
}

/// New data for a model may differ from what the pipeline names.
std::string SlowData::key_of(const Node& source) const {
  return data_identity(*source.facts().spec, catalogue_) +
         (source.facts().new_data ? " " + source.name() : "");
}

std::shared_ptr<const Dataset> SlowData::retained(const Node& source, std::uintmax_t text_bytes) {
  const std::string key = key_of(source);
  if (const auto known = opened_.find(key); known != opened_.end()) return known->second;
  const SharedData::States states = states_of(source.as<Source>());
  if (shared_)
    if (auto data = shared_->find(key, states)) return opened_[key] = std::move(data);
  const std::size_t most = services_.free_memory() / retained_part;
  // A number takes at least two characters, and then four bytes.
  if (2 * text_bytes > most) {
    opened_.clear();  // all memory is for reading it
    return opened_[key] = nullptr;
  }
  const PipelineNode& spec = *source.facts().spec;
  NodeContext context(services_, spec.name, mixed_seed(spec.seed, spec.component.id), 0,
                      name_of_data(spec));
  std::shared_ptr<const Dataset> data = source.as<Source>().open(context);
  if (shared_) shared_->add(key, states, data);
  std::size_t bytes = data->bytes();
  for (const auto& [other, held] : opened_) bytes += held ? held->bytes() : 0;
  opened_[key] = bytes <= most ? data : nullptr;
  return data;
}

void SlowData::take_room(RowMemory& memory) {
  if (store_) return;
  if (shared_) shared_room_ = memory.take(shared_->bytes());
  for (const auto& [key, data] : opened_)
    if (data) room_[key] = memory.take(data->bytes());
}

std::shared_ptr<const Dataset> SlowData::take(const Node& source) {
  if (store_) return nullptr;
  const std::string key = key_of(source);
  room_.erase(key);
  const auto found = opened_.find(key);
  return found == opened_.end() ? nullptr : std::exchange(found->second, nullptr);
}

std::shared_ptr<const Dataset> SlowData::stored(const Node& source, const std::string& key) {
  const auto damaged = [&](const std::string& what) { services_.log(LogLevel::warning, what); };
  const auto found = store_->find(key, damaged);
  if (!found) return nullptr;
  try {
    auto data = std::make_shared<StoredData>(found->folder, found->note.at("data"));
    repeat_log_lines(found->note.at("told"), source.facts(), services_);
    return data;
  } catch (const std::exception& problem) {
    services_.log(LogLevel::warning, subject_of(source.facts()) +
                                         "its stored data cannot be used (" + problem.what() +
                                         "); its files are read again");
    return nullptr;
  }
}

std::shared_ptr<const Dataset> SlowData::read(const Node& source, const std::string& key) {
  const PipelineNode& spec = *source.facts().spec;
  ReadingServices reading(services_, subject_of(source.facts()));
  NodeContext context(reading.services(), spec.name, mixed_seed(spec.seed, spec.component.id), 0,
                      name_of_data(spec));
  const std::shared_ptr<const Dataset> opened = source.as<Source>().open(context);
  std::shared_ptr<const Dataset> data;
  bool changed = false;
  try {
    const auto draft = store_->draft(key);
    const Json facts = StoredData::write(*opened, draft->folder(), context);
    try {
      check_files(source, catalogue_, files_);
    } catch (const Error&) {
      changed = true;
      throw;
    }
    const fs::path folder = draft->commit({{"data", facts}, {"told", reading.lines()}}, true);
    data = std::make_shared<StoredData>(folder, facts);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& problem) {
    if (changed) throw;
    services_.log(LogLevel::warning, subject_of(source.facts()) + "its data cannot be stored: " +
                                         problem.what() + "; the next run reads its files again");
  }
  return data;
}

}  // namespace semblance
