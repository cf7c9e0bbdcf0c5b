// SPDX-License-Identifier: MIT
#include "cli/suggest/candidates.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "cli/verb.hpp"
#include "pipeline/pipeline_file.hpp"
#include "report/tables/result_table_json.hpp"

namespace semblance::cli {

namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t looked_at = std::size_t{64} << 10;

constexpr std::string_view array_magic = "\x93NUMPY";

constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";

[[noreturn]] void refuse(const fs::path& data, const std::string& what) {
  throw UsageError(
      "'" + data.string() + "' " + what +
      "; use a text table, Weka's .arff, LIBSVM's sparse text, a NumPy array (.npy), an "
      "HDF5 file, or a folder or archive of pictures with one sub-folder per class");
}

bool is_picture(const fs::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  constexpr std::array known = {".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pnm"};
  return std::ranges::find(known, extension) != known.end();
}

bool has_pictures(const fs::path& folder) {
  std::error_code problem;
  for (fs::recursive_directory_iterator i(folder, problem), end; !problem && i != end;
       i.increment(problem))
    if (is_picture(i->path())) return true;
  return false;
}

/// The first bytes of a file, decompressed if necessary.
std::string first_bytes(const fs::path& file) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_filename(reader.get(), file.c_str(), looked_at) != ARCHIVE_OK)
    throw UsageError("'" + file.string() +
                     "' cannot be read: " + archive_error_string(reader.get()));
  if (archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK) return "";
  std::string bytes(looked_at, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const auto count = archive_read_data(reader.get(), bytes.data() + size, bytes.size() - size);
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

bool is_archive(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.substr(0, 262).ends_with("ustar");
}

/// The form according to the array's header: {'descr': '<f4', ..., 'shape': (60, 3), }
DataForm array_form(const fs::path& data, std::string_view bytes) {
  const std::size_t shape = bytes.find("'shape'"), open = bytes.find('(', shape),
                    close = bytes.find(')', open);
  if (shape == bytes.npos || close == bytes.npos)
    refuse(data, "is a NumPy array with an unreadable header");
  std::size_t dimensions = 0;
  bool number = false;
  for (const char c : bytes.substr(open, close - open)) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    dimensions += digit && !number;
    number = digit;
  }
  if (dimensions == 2) return DataForm::array_of_rows;
  if (dimensions == 3 || dimensions == 4) return DataForm::array_of_pictures;
  refuse(data, "is an array of " + std::to_string(dimensions) +
                   (dimensions == 1 ? " dimension" : " dimensions") +
                   ", not of rows (2) or pictures (3 or 4)");
}

bool is_entry(std::string_view word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  return digits != word.npos && digits > 0 && word[digits] == ':' && digits + 1 < word.size();
}

/// In Weka's .arff, the first line that is not a comment is @relation, or an attribute.
bool is_arff(const std::vector<std::string>& lines) {
  for (std::string line : lines) {
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.starts_with('%')) continue;
    std::ranges::transform(line, line.begin(), [](unsigned char c) { return std::tolower(c); });
    return line.starts_with("@relation") || line.starts_with("@attribute");
  }
  return false;
}

/// Lines of `label index:value ...`, some of which may have no value.
bool is_sparse(const std::vector<std::string>& lines) {
  bool any = false;
  for (const std::string& line : lines) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    for (std::size_t place = 0; words >> word; ++place) {
      if (is_entry(word))
        any = true;
      else if (place > 0)
        return false;
    }
  }
  return any;
}

/// The complete lines, without blank ones.
std::vector<std::string> lines_of(const std::string& bytes) {
  std::istringstream text(bytes);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line) && (lines.empty() || !text.eof());)
    if (line.find_first_not_of(" \t\r") != line.npos) lines.push_back(line);
  return lines;
}

bool has_fields(const std::string& line) {
  const std::size_t start = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
  return line.substr(start, end + 1 - start).find_first_of(",;\t ") != line.npos;
}

/// The candidates' source in their files, on a separate line.
constexpr const char* source_line = "\n  data:";

std::string quoted_text(const std::string& text) { return Json(text).dump(); }

std::string with_data(const fs::path& file, const std::string& node) {
  const PipelineFile content = read_pipeline_file(file);
  if (content.problem) throw Error("'" + file.string() + "': " + content.problem->message);
  std::string text = content.text;
  const std::size_t start = text.find(source_line);
  if (start == text.npos || text.find(source_line, start + 1) != text.npos)
    throw Error("'" + file.string() +
                "' must have exactly one line '  data: {is: source/...}', which is replaced");
  const std::size_t end = std::min(text.find('\n', start + 1), text.size());
  return text.replace(start, end - start, std::string(source_line) + " " + node);
}

std::string name_of(const fs::path& file) {
  std::string name = file.stem().string();
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits > 0 && digits != name.npos && name[digits] == '_') name.erase(0, digits + 1);
  return name;
}

Json known_sources(const fs::path& shipped) {
  const fs::path file = shipped / "sources.json";
  if (!fs::exists(file)) throw Error("'" + file.string() + "' is missing; reinstall the program");
  return read_json(file);
}

}  // namespace

const char* name(DataForm form) {
  switch (form) {
    case DataForm::text_table:
      return "text table";
    case DataForm::arff_table:
      return "arff table";
    case DataForm::hdf5_matrix:
      return "HDF5 file";
    case DataForm::sparse_text:
      return "sparse text";
    case DataForm::array_of_rows:
      return "array of rows";
    case DataForm::array_of_pictures:
      return "array of pictures";
    case DataForm::pictures:
      break;
  }
  return "pictures";
}

DataForm data_form(const fs::path& data) {
  std::error_code problem;
  if (fs::is_directory(data, problem)) {
    if (has_pictures(data)) return DataForm::pictures;
    refuse(data, "is a folder without pictures (.png, .jpg, .jpeg, .pgm, .ppm, .pnm)");
  }
  if (!fs::is_regular_file(data, problem)) refuse(data, "is not a file or folder");
  const std::string bytes = first_bytes(data);
  if (is_archive(bytes)) return DataForm::pictures;
  if (bytes.starts_with(array_magic)) return array_form(data, bytes);
  if (bytes.starts_with(hdf5_magic)) return DataForm::hdf5_matrix;
  if (bytes.find('\0') != bytes.npos) refuse(data, "is neither text nor any other known format");
  const auto lines = lines_of(bytes);
  if (lines.empty()) refuse(data, "is empty");
  if (is_arff(lines)) return DataForm::arff_table;
  if (is_sparse(lines)) return DataForm::sparse_text;
  if (!has_fields(lines.front()))
    refuse(data, "has a single field per line, but a row needs values and a label");
  return DataForm::text_table;
}

void DataNode::set(const std::string& key, const std::string& value) {
  const auto found = std::ranges::find(keys_, key, &std::pair<std::string, std::string>::first);
  if (found != keys_.end())
    found->second = value;
  else
    keys_.emplace_back(key, value);
}

std::string DataNode::text() const {
  std::string text;
  for (const auto& [key, value] : keys_) text += (text.empty() ? "{" : ", ") + key + ": " + value;
  return text + "}";
}

namespace {

void set_target(const Json& reading, const std::string& target, const std::string& what,
                DataNode& node) {
  if (reading.contains("target_file"))
    node.set(reading.at("target_file").get<std::string>(),
             quoted_text(fs::absolute(target).lexically_normal().string()));
  else if (reading.contains("target"))
    node.set(reading.at("target").get<std::string>(), quoted_text(target));
  else
    throw UsageError(what + " has no numbers to predict; omit --target");
}

}  // namespace

DataReading reading_of(DataForm form, const fs::path& data, const WantedTarget& wanted,
                       const fs::path& shipped) {
  const std::string& label = wanted.label;
  const Json reading = known_sources(shipped).at(name(form));
  DataReading result;
  result.candidates = shipped / reading.at("candidates").get<std::string>();
  for (const auto& [key, value] : reading.at("source").items()) result.node.set(key, value.dump());
  result.node.set("path", quoted_text(fs::absolute(data).lexically_normal().string()));
  const std::string what = "'" + data.string() + "', as " + name(form) + ",";
  if (!wanted.target.empty()) {
    set_target(reading, wanted.target, what, result.node);
    result.candidates = shipped / "numbers";
    return result;
  }
  if (reading.contains("label_file")) {
    if (label.empty())
      throw UsageError(
          what + " has no labels of its own; name the array of its labels with --label FILE.npy");
    result.node.set(reading.at("label_file").get<std::string>(),
                    quoted_text(fs::absolute(label).lexically_normal().string()));
  } else if (reading.contains("label")) {
    if (!label.empty()) result.node.set(reading.at("label").get<std::string>(), quoted_text(label));
  } else if (!label.empty()) {
    throw UsageError(what + " contains its own classes; omit --label");
  }
  return result;
}

std::vector<Candidate> candidates(const fs::path& folder, const DataNode& data) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder, problem))
    if (item.path().extension() == ".yaml") files.push_back(item.path());
  if (files.empty())
    throw Error("there are no pipelines (.yaml) to try in '" + folder.string() + "'");
  std::ranges::sort(files);
  std::vector<Candidate> all;
  for (const auto& file : files) all.push_back({name_of(file), file, with_data(file, data.text())});
  return all;
}

}  // namespace semblance::cli
