// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "data/data_set.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/yaml/diagnostic.hpp"
#include "pipeline/yaml/numerals.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "semblance/error.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// The size limit of a download without one in the catalogue.
constexpr std::uint64_t usual_limit = std::uint64_t{4} << 30;

bool is_plain_path(const std::string& path) {
  if (path.empty() || path.size() > 512 || path.front() == '/' || path.front() == '.') return false;
  if (std::ranges::any_of(path, [](unsigned char c) { return c < 0x20 || c == '\\' || c == 0x7f; }))
    return false;
  for (const auto& part : std::filesystem::path(path))
    if (part == ".." || part == "." || part.empty()) return false;
  return true;
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

class Reader {
 public:
  explicit Reader(Problems& problems) : problems_(problems) {}

  std::vector<DataSet> sets(const YamlNode& root) {
    std::vector<DataSet> all;
    if (!keys(root, {"data_sets"}, "the catalogue")) return all;
    const YamlEntry* entry = root.find("data_sets");
    if (!entry) {
      problems_.error(root.place, "'data_sets' is missing");
      return all;
    }
    if (!mapping(entry->value, "data_sets")) return all;
    for (const YamlEntry& set : entry->value.entries) all.push_back(data_set(set));
    return all;
  }

 private:
  bool mapping(const YamlNode& node, const std::string& what) {
    if (node.is_mapping()) return true;
    if (!node.is_invalid())
      problems_.error(node.place, what + " must be a mapping, got " + node.describe());
    return false;
  }

  /// Checks that a mapping has no other keys than these.
  bool keys(const YamlNode& node, const std::vector<std::string>& known, const std::string& what) {
    if (!mapping(node, what)) return false;
    for (const YamlEntry& entry : node.entries)
      if (std::ranges::find(known, entry.key.text) == known.end())
        problems_.error(
            entry.key.place,
            what + " has no key " + quote(entry.key.text) + "; it has " + enumerate(known),
            did_you_mean(entry.key.text, known));
    return true;
  }

  std::string text(const YamlNode& node, const char* key, bool required) {
    const YamlEntry* entry = node.find(key);
    if (!entry) {
      if (required) problems_.error(node.place, std::string("'") + key + "' is missing");
      return "";
    }
    if (entry->value.is_scalar() && !entry->value.text.empty()) return entry->value.text;
    if (!entry->value.is_invalid())
      problems_.error(entry->value.place,
                      std::string("'") + key + "' must be text, got " + entry->value.describe());
    return "";
  }

  std::optional<std::uint64_t> number(const YamlNode& node, const char* key) {
    const YamlEntry* entry = node.find(key);
    if (!entry) return std::nullopt;
    Refusal refusal;
    const auto value = read_natural(entry->value, refusal);
    if (!value)
      problems_.error(entry->value.place, std::string("'") + key + "' " + refusal.problem,
                      refusal.help);
    return value;
  }

  std::optional<std::string> checksum(const YamlNode& node, bool required) {
    const YamlEntry* entry = node.find("sha256");
    if (!entry) {
      if (required)
        problems_.error(node.place, "'sha256' is missing; write 'unknown' if it is unknown");
      return std::nullopt;
    }
    const std::string& value = entry->value.text;
    if (entry->value.is_scalar() && is_sha256(value)) return value;
    if (!(required && entry->value.is_scalar() && value == "unknown"))
      problems_.error(entry->value.place,
                      std::string("'sha256' must be 64 hexadecimal digits in lower case") +
                          (required ? ", or 'unknown'" : "") + ", got " + entry->value.describe());
    return std::nullopt;
  }

  std::string path(const YamlNode& node) {
    if (node.is_scalar() && is_plain_path(node.text)) return node.text;
    if (!node.is_invalid())
      problems_.error(node.place,
                      "must be a path below the data folder, without '..', got " + node.describe());
    return "";
  }

  DataFile file(const YamlEntry& entry) {
    DataFile result;
    result.path = path(entry.key);
    if (!paths_.insert(result.path).second)
      problems_.error(entry.key.place, "the file " + quote(result.path) + " appears twice");
    if (!keys(entry.value, {"member", "without_lines", "instead", "bytes", "lines", "sha256"},
              "a file"))
      return result;
    const YamlNode& node = entry.value;
    result.member = text(node, "member", false);
    result.without_lines = text(node, "without_lines", false);
    result.content = {number(node, "bytes"), number(node, "lines"), checksum(node, false)};
    if (const YamlEntry* instead = node.find("instead")) {
      if (!instead->value.is_list())
        problems_.error(instead->value.place, "'instead' must be a list of paths");
      for (const YamlNode& item : instead->value.items) result.instead.push_back(path(item));
    }
    return result;
  }

  Download download(const YamlNode& node) {
    Download result;
    if (!keys(node, {"url", "bytes", "sha256", "gives", "unpack", "at_most"}, "a download"))
      return result;
    result.url = text(node, "url", true);
    const bool web = result.url.starts_with("http://") || result.url.starts_with("https://");
    result.file = result.url.substr(result.url.rfind('/') + 1);
    if (!result.url.empty() && (!web || !is_plain_path(result.file)))
      problems_.error(node.find("url")->value.place,
                      "'url' must start with http:// or https:// and end with a file name");
    result.bytes = number(node, "bytes");
    result.sha256 = checksum(node, true);
    result.at_most = number(node, "at_most").value_or(usual_limit);
    const YamlEntry* gives = node.find("gives");
    const YamlEntry* unpack = node.find("unpack");
    if (!gives == !unpack)
      problems_.error(node.place, "a download needs either 'gives' or 'unpack'");
    if (unpack) result.unpack = path(unpack->value);
    if (gives && mapping(gives->value, "'gives'"))
      for (const YamlEntry& entry : gives->value.entries) result.gives.push_back(file(entry));
    return result;
  }

  DataSet data_set(const YamlEntry& entry) {
    DataSet result;
    result.name = entry.key.text;
    if (!is_plain_path(result.name) || result.name.find('/') != std::string::npos)
      problems_.error(entry.key.place,
                      "a data set's name must be one word, got " + quote(result.name));
    const YamlNode& node = entry.value;
    if (!keys(node, {"summary", "licence", "cite", "page", "note", "downloads"}, "a data set"))
      return result;
    result.summary = text(node, "summary", true);
    result.licence = text(node, "licence", true);
    result.cite = text(node, "cite", true);
    result.page = text(node, "page", true);
    result.note = text(node, "note", false);
    const YamlEntry* downloads = node.find("downloads");
    if (!downloads || !downloads->value.is_list() || downloads->value.items.empty())
      problems_.error(node.place, "'downloads' must be a list of at least one download");
    else
      for (const YamlNode& item : downloads->value.items)
        result.downloads.push_back(download(item));
    std::set<std::string> names;
    for (const Download& d : result.downloads)
      if (!d.file.empty() && !names.insert(d.file).second)
        problems_.error(node.place, "two downloads are named " + quote(d.file));
    return result;
  }

  Problems& problems_;
  std::set<std::string> paths_;
};

}  // namespace

bool Download::verifiable() const {
  if (sha256) return true;
  return !gives.empty() && std::ranges::all_of(gives, [](const DataFile& file) {
    return file.content.sha256.has_value();
  });
}

std::vector<DataSet> read_data_catalogue(const std::filesystem::path& file) {
  PipelineFile content = read_pipeline_file(file);
  if (content.problem)
    throw Error("the catalogue of data sets '" + file.string() + "': " + content.problem->message);
  const SourceText source(file.string(), without_byte_order_mark(content.text));
  Problems problems;
  std::vector<DataSet> sets;
  if (const auto tree = parse_yaml(source, problems)) sets = Reader(problems).sets(*tree);
  if (problems.errors() > 0)
    throw Error("cannot use the catalogue of data sets:\n" + render(problems.take()));
  return sets;
}

std::vector<DataSet> read_data_catalogues(const std::vector<std::filesystem::path>& files) {
  std::vector<DataSet> all;
  for (const auto& file : files) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    for (DataSet& set : read_data_catalogue(file)) {
      if (std::ranges::find(all, set.name, &DataSet::name) != all.end())
        throw Error("the data set '" + set.name + "' of '" + file.string() +
                    "' is already in another catalogue; rename it");
      all.push_back(std::move(set));
    }
  }
  return all;
}

}  // namespace semblance
