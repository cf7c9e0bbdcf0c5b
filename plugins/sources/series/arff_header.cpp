// SPDX-License-Identifier: MIT
#include "series/arff_header.hpp"

#include "semblance/error.hpp"
#include "text/arff_attributes.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {
namespace {

/// Interprets the attributes as those of series.
class ArffHeaderMaker {
 public:
  explicit ArffHeaderMaker(const LineReader& lines) : lines_(lines) {}

  ArffHeader make(const std::vector<ArffAttribute>& attributes) {
    for (const ArffAttribute& attribute : attributes) take(attribute);
    if (header_.relational && steps_ > 0)
      fail(lines_.number(),
           "has numeric attributes beside the relational one, which is not supported; convert the "
           "file to .ts");
    if (!header_.relational && steps_ == 0)
      fail(lines_.number(),
           "has no numeric attributes, so there are no series; check that it is the right file");
    return header_;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw DataError(lines_.path(), "line " + std::to_string(line), what);
  }

  void take(const ArffAttribute& attribute) {
    if (!attribute.nominal() && !attribute.numeric() && !attribute.relational())
      fail(attribute.line, "the attribute " + in_quotes(attribute.name) + " has the type " +
                               in_quotes(attribute.type) +
                               ", which is not supported; expected numeric, {classes} or "
                               "relational");
    if (attribute.inside) {
      if (!attribute.numeric())
        fail(attribute.line, "the attribute " + in_quotes(attribute.name) +
                                 " within the relational one is not numeric; convert the file to "
                                 ".ts, whose series may be of any form");
      return;
    }
    if (attribute.nominal()) take_classes(attribute);
    if (attribute.relational()) {
      if (header_.relational)
        fail(attribute.line,
             "has a second relational attribute, which is not supported; convert the file to .ts");
      header_.relational = true;
      header_.series = header_.fields;
    }
    steps_ += attribute.numeric();
    ++header_.fields;
  }

  void take_classes(const ArffAttribute& attribute) {
    if (header_.labelled)
      fail(attribute.line, "the attribute " + in_quotes(attribute.name) +
                               " is a second one with classes; keep the one that is the label");
    header_.classes = attribute.values;
    header_.labelled = true;
    header_.label = header_.fields;
  }

  const LineReader& lines_;
  ArffHeader header_;
  std::size_t steps_ = 0;
};

}  // namespace

ArffHeader read_arff_header(LineReader& lines, Context& context) {
  const auto attributes = read_arff_attributes(lines, context);
  return ArffHeaderMaker(lines).make(attributes);
}

}  // namespace semblance::sources
