// SPDX-License-Identifier: MIT
#include "pipeline/yaml/yaml_tree.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "pipeline/yaml/yaml_builder.hpp"
#include "pipeline/yaml/yaml_syntax.hpp"

namespace semblance {

YamlNode YamlNode::empty(Kind kind, const Place& place) {
  YamlNode node;
  node.kind = kind;
  node.place = place;
  return node;
}

const YamlEntry* YamlNode::find(std::string_view key) const noexcept {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [key](const YamlEntry& e) { return e.key.text == key; });
  return found == entries.end() ? nullptr : &*found;
}

YamlEntry* YamlNode::find(std::string_view key) noexcept {
  return const_cast<YamlEntry*>(std::as_const(*this).find(key));
}

std::string YamlNode::describe() const {
  switch (kind) {
    case Kind::nothing:
      return "nothing";
    case Kind::scalar:
      return quote(text);
    case Kind::list:
      return items.empty() ? "an empty list" : "a list";
    case Kind::mapping:
      return entries.empty() ? "an empty mapping" : "a mapping";
    case Kind::invalid:
      break;
  }
  return "something invalid";
}

namespace {

/// Reports what follows the first document; yaml-cpp takes any remaining text for another one.
void check_end(YAML::Parser& parser, const SourceText& source, Problems& problems) {
  SecondDocument second;
  try {
    parser.HandleNextDocument(second);
  } catch (const SecondDocument::Found& found) {
    const std::size_t offset = std::min(found.offset, source.text().size());
    if (source.text().compare(offset, 3, "---") == 0)
      problems.error(
          source.place(offset, 3), "a second document starts here",
          "a pipeline file holds one pipeline: remove this line and everything after it");
    else
      problems.error(source.place(offset), "this does not belong to what comes before it",
                     "check the indentation: keys of the same mapping start in the same column");
  }
}

}  // namespace

std::optional<YamlNode> parse_yaml(const SourceText& source, Problems& problems, std::size_t skip) {
  // Blanks replace the skipped bytes, so that all offsets stay right.
  std::istringstream stream(std::string(skip, ' ') + source.text().substr(skip));
  TreeBuilder builder(source, problems);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      return YamlNode::empty(YamlNode::Kind::nothing, source.whole());
    check_end(parser, source, problems);
  } catch (const TreeBuilder::Abandoned&) {
    return std::nullopt;
  } catch (const YAML::Exception& e) {
    report_syntax_error(e, builder, source, problems);
    return std::nullopt;
  }
  return builder.take();
}

}  // namespace semblance
