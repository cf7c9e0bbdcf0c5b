// SPDX-License-Identifier: MIT
#include "text/document_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_document = std::uint64_t{64} << 20;

/// The direct entries of a folder, by name, without hidden ones.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (!at->path().filename().string().starts_with('.')) entries.push_back(at->path());
  if (error)
    throw DataError(folder.string(), "",
                    "cannot be listed (" + error.message() + "); check permissions");
  std::ranges::sort(entries);
  return entries;
}

void append_files(const fs::path& folder, std::vector<std::string>& files) {
  for (const fs::path& entry : entries_of(folder))
    if (fs::is_regular_file(entry)) files.push_back(entry.string());
}

/// Each byte is a code point.
std::string utf8_of_latin1(const std::string& text) {
  std::string all;
  all.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      all += c;
    } else {
      all += static_cast<char>(0xc0U | byte >> 6U);
      all += static_cast<char>(0x80U | (byte & 0x3fU));
    }
  }
  return all;
}

std::string document_text(const std::string& file, const std::string& encoding) {
  std::vector<std::uint8_t> bytes;
  ByteReader reader(file);
  if (append_bytes(reader, largest_document + 1, bytes) > largest_document)
    throw DataError(file, "", "is larger than 64 MiB; this does not look like one document");
  std::string text(bytes.begin(), bytes.end());
  if (encoding == "latin1") return utf8_of_latin1(text);
  if (!is_utf8(text))
    throw DataError(file, "",
                    "is not UTF-8 text; save it as UTF-8, or set 'encoding: latin1' if that is "
                    "what the files are");
  return text;
}

}  // namespace

std::vector<std::string> list_documents(const std::string& folder) {
  std::vector<std::string> files;
  for (const fs::path& entry : entries_of(folder))
    if (fs::is_directory(entry)) append_files(entry, files);
  if (files.empty()) append_files(folder, files);
  if (files.empty())
    throw DataError(
        folder, "",
        "holds no documents; it must have a folder for each class, with one file per text");
  return files;
}

void read_documents(const std::string& folder, const std::string& encoding,
                    const StringFormat& format, StringRows& rows, Context& context) {
  if (format.facts.numbers && !format.facts.may_lack_labels)
    throw DataError(folder, "",
                    "is a folder, which has classes and no numbers to predict; give a table, or "
                    "omit 'target: numbers'");
  FactRules rules = format.facts;
  rules.labels.missing = MissingLabels::classes;  // a folder may be called NA
  for (const std::string& file : list_documents(folder)) {
    context.check_stop();
    const fs::path path(file);
    const bool labelled =
        !format.facts.numbers && path.parent_path() != fs::path(folder) && format.label != "none";
    const std::string label = path.parent_path().filename().string();
    if (!labelled && !format.facts.may_lack_labels && format.label != "none")
      throw DataError(folder, "",
                      "has no folder for each class, so its documents have no labels; set 'label: "
                      "none' if nothing learns from classes, or 'role: test' if they are to be "
                      "predicted");
    const std::string name = path.lexically_relative(folder).generic_string();
    if (!is_utf8(name))
      throw DataError(folder, "", "the path " + in_quotes(name) + " is not UTF-8 text; rename it");
    FactTexts facts;
    if (labelled) facts.label = label;
    facts.id = name;
    const std::string text = document_text(file, encoding);
    rows.strings.values.insert(rows.strings.values.end(), text.begin(), text.end());
    rows.strings.end_row();
    rows.append(facts, rules, [&](const std::string& what) { throw DataError(file, "", what); });
    check_fits(rows.bytes(), "the documents so far", file, "", context);
  }
}

}  // namespace semblance::sources
