// SPDX-License-Identifier: MIT
#include "checked.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "catalogue.hpp"
#include "held_data.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/yaml/yaml_syntax.hpp"
#include "registry/python_door.hpp"
#include "study/check_pipeline.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::python {

namespace {

namespace py = pybind11;

/// The mapping that a text is; nothing where it cannot be read, which its check reports.
std::optional<YamlNode> root_of(const std::string& text, const std::filesystem::path& file) {
  const SourceText source(file.string(), without_byte_order_mark(text));
  Problems problems;
  auto root = check_text(source, problems) ? parse_yaml(source, problems) : std::nullopt;
  return root && root->is_mapping() ? std::move(root) : std::nullopt;
}

/// The mapping of the nodes: of a pipeline, or of the one that a study varies.
std::optional<YamlNode> nodes_of(const std::string& text, const std::filesystem::path& file) {
  const auto root = root_of(text, file);
  if (!root) return std::nullopt;
  const YamlEntry* nodes = root->find("nodes");
  if (nodes) return nodes->value.is_mapping() ? std::optional(nodes->value) : std::nullopt;
  const YamlEntry* study = root->find("study");
  const YamlEntry* base =
      study && study->value.is_mapping() ? study->value.find("pipeline") : nullptr;
  if (!base) return std::nullopt;
  const auto path = file.parent_path() / base->value.text;
  const PipelineFile content = read_pipeline_file(path);
  return content.problem ? std::nullopt : nodes_of(content.text, path);
}

/// A node without a component is one, too: the data are all there is to say of it.
bool is_source(const YamlNode& node) {
  const YamlEntry* is = node.find("is");
  return !is || is->value.text.starts_with("source/");
}

std::vector<std::string> source_names(const YamlNode& nodes) {
  std::vector<std::string> names;
  for (const YamlEntry& entry : nodes.entries)
    if (is_source(entry.value)) names.push_back(entry.key.text);
  return names;
}

/// ", KEY: VALUE" as the node has it, or nothing.
std::string kept(const YamlNode& node, const char* key) {
  const YamlEntry* entry = node.is_mapping() ? node.find(key) : nullptr;
  return entry && entry->value.is_scalar() ? std::string(", ") + key + ": " + entry->value.text
                                           : "";
}

/// Whether a source leaves missing values to a component that fills them in.
bool says_keep(const YamlNode& source) { return kept(source, "missing") == ", missing: keep"; }

bool names(const YamlNode& input, const std::string& node) {
  if (input.is_scalar()) return input.text == node;
  return std::ranges::any_of(input.items, [&](const YamlNode& item) { return names(item, node); });
}

/// Leaves of `kinds` those that this node takes where `source` feeds it.
void narrow(const YamlNode& node, const std::string& source, const Catalogue& catalogue,
            std::vector<LayoutKind>& kinds) {
  const YamlEntry* is = node.find("is");
  const auto* entry = is ? catalogue.find(is->value.text) : nullptr;
  if (!entry) return;
  for (const PortInfo& port : entry->info.inputs) {
    const YamlEntry* input = node.find(port.name);
    if (!input || port.type != PortType::samples || !names(input->value, source)) continue;
    const auto taken = port.layouts_taken();
    std::erase_if(kinds, [&](LayoutKind kind) { return std::ranges::count(taken, kind) == 0; });
  }
}

std::string override_of(const std::string& name, const YamlNode* node, const HeldData& data) {
  std::string text = "nodes." + name + "={is: source/array, data: \"" + data.id + "\"";
  if (node && data.dataset->outline().test_rows == 0) {
    text += kept(*node, "test_fraction");
    if (!data.dataset->groups().empty()) text += kept(*node, "split_by");
  }
  if (node) text += kept(*node, "seed");
  if (node && says_keep(*node)) text += kept(*node, "missing");
  return text + "}";
}

/// A selection may choose how a source reads its file, which means nothing for the arrays that
/// replace it: such a parameter keeps only the choices that change nothing.
void omit_choices_of_reading(const std::string& name, const std::string& text,
                             const std::filesystem::path& file,
                             std::vector<std::string>& overrides) {
  const auto root = root_of(text, file);
  const YamlEntry* select = root ? root->find("select") : nullptr;
  const YamlEntry* all =
      select && select->value.is_mapping() ? select->value.find("parameters") : nullptr;
  if (!all || !all->value.is_mapping()) return;
  const auto sets_it = [&](const YamlEntry& setting) {
    return setting.key.text.starts_with("nodes." + name + ".");
  };
  for (const YamlEntry& parameter : all->value.entries) {
    std::string stay;
    bool others = false, dropped = false;
    for (const YamlEntry& choice : parameter.value.entries) {
      if (choice.value.is_mapping() && std::ranges::any_of(choice.value.entries, sets_it))
        dropped = true;
      else if (choice.value.is_mapping() && choice.value.entries.empty())
        stay += (stay.empty() ? "" : ", ") + choice.key.text + ": {}";
      else
        others = true;
    }
    if (dropped && !others && !stay.empty())
      overrides.push_back("select.parameters." + parameter.key.text + "={" + stay + "}");
  }
}

/// Refuses data without `what` for a source that has some: rows that belong together would be
/// divided, or rows that counted differently count the same, without a word.
void check_stays(const std::string& name, const YamlNode& node, bool has, const char* key,
                 const char* what, const char* argument) {
  const YamlEntry* given = node.is_mapping() && !has ? node.find(key) : nullptr;
  if (!given || given->value.text.empty()) return;
  throw py::value_error(
      "the rows of '" + name + "' have " + what + " in the pipeline ('" + key + ": " +
      given->value.text + "'), and the data for it have none: give them, as {'X': X, 'y': y, '" +
      argument + "': " + what + "} or to an estimator's fit(), or remove '" + key + "' there");
}

/// Puts data in the place of sources: nodes.images={is: source/array, data: ID}.
void bind_data(const std::string& text, const std::filesystem::path& file, const py::dict& data,
               Request& request) {
  if (data.empty()) return;
  const auto nodes = nodes_of(text, file);
  for (const auto& [key, value] : data) {
    const auto name = py::cast<std::string>(key);
    const YamlEntry* node = nodes ? nodes->find(name) : nullptr;
    if (nodes && (!node || !is_source(node->value)))
      throw py::value_error("data are given for '" + name +
                            "', which is no source of the pipeline; its sources are " +
                            enumerate(source_names(*nodes)));
    const auto& held = py::cast<const HeldData&>(value);
    if (node) {
      const bool weighted = !held.dataset->weights().empty();
      check_stays(name, node->value, weighted, "weight", "weights", "sample_weight");
      check_stays(name, node->value, weighted, "weights", "weights", "sample_weight");
      check_stays(name, node->value, !held.dataset->groups().empty(), "groups", "groups", "groups");
    }
    std::vector<std::string>& overrides = request.settings.check.overrides;
    overrides.push_back(override_of(name, node ? &node->value : nullptr, held));
    omit_choices_of_reading(name, text, file, overrides);
    request.handed.emplace_back(held.id, held.dataset);
  }
}

/// A sound pipeline, and what its check depended on.
struct CheckedBefore {
  std::string form;
  std::shared_ptr<const Catalogue> catalogue;
  Sound sound;
};
std::deque<CheckedBefore> checked_before;  // under the GIL

/// All that the check of a pipeline on these data depends on, beside the components.
std::string form_of(const std::string& text, const std::string& file, const HeldData& held,
                    const CheckOptions& options) {
  std::string form = text;
  if (const auto place = form.find(held.id); place != form.npos) form.erase(place, held.id.size());
  const Dataset& data = *held.dataset;
  form += "\n" + file + "\n" + describe(data.outline().layout);
  for (const bool has : {data.outline().classes.empty(), data.outline().targets.empty(),
                         data.weights().empty(), data.groups().empty()})
    form += has ? " 1" : " 0";
  if (options.seed) form += " seed " + std::to_string(*options.seed);
  for (const std::string& override : options.overrides) form += "\n" + override;
  return form;
}

/// Whether a component is not written in Python, and names no file.
bool depends_on_text_alone(const ComponentConfig& component, const Catalogue& catalogue) {
  const Catalogue::Entry& entry = *catalogue.find(component.id);
  if (!entry.plugin->of_file || is_python_file(entry.plugin->library)) return false;
  const auto is_file = [&](const auto& named) {
    const auto* text = std::get_if<std::string>(&named.second);
    return entry.info.parameter(named.first)->type == ParameterType::path && text && !text->empty();
  };
  return std::ranges::none_of(component.values, is_file) &&
         std::ranges::all_of(component.parts, [&](const ComponentPart& part) {
           return depends_on_text_alone(part.component, catalogue);
         });
}

void set_data(Pipeline& pipeline, const std::string& id) {
  for (PipelineNode& node : pipeline.nodes)
    if (node.component.id == "source/array")
      for (auto& [name, value] : node.component.values)
        if (name == "data") value = id;
}

}  // namespace

Request request(const std::string& text, const std::string& file, const py::object& data,
                const std::vector<std::string>& overrides, const py::dict& options) {
  Request made{settings_from(options), catalogue(), {}};
  if (py::isinstance<HeldData>(data)) {
    const auto& held = py::cast<const HeldData&>(data);
    made.handed.emplace_back(held.id, held.dataset);
  } else {
    bind_data(text, file, py::cast<py::dict>(data), made);
  }
  std::vector<std::string>& all = made.settings.check.overrides;
  all.insert(all.end(), overrides.begin(), overrides.end());
  return made;
}

Sound checked_pipeline(const std::string& text, const std::string& file, const py::object& data,
                       const Request& request) {
  const Catalogue& catalogue = *request.catalogue;
  const HeldData* held =
      py::isinstance<HeldData>(data) ? &py::cast<const HeldData&>(data) : nullptr;
  std::string form;
  if (held) {
    form = form_of(text, file, *held, request.settings.check);
    std::erase_if(checked_before,
                  [&](const CheckedBefore& one) { return one.catalogue != request.catalogue; });
    const auto known = std::ranges::find(checked_before, form, &CheckedBefore::form);
    if (known != checked_before.end()) {
      Sound again = known->sound;
      set_data(again.pipeline, held->id);
      return again;
    }
  }
  const PipelineCheck checked = check_pipeline(text, file, catalogue, request.settings.check);
  Sound made{sound(checked.pipeline, checked.diagnostics)};
  constexpr std::size_t longest = 1 << 16;  // a text may list pairs of samples
  const bool lasts = held && form.size() <= longest && checked.diagnostics.empty() &&
                     !made.pipeline.selection &&
                     std::ranges::all_of(made.pipeline.nodes, [&](const PipelineNode& node) {
                       return depends_on_text_alone(node.component, catalogue);
                     });
  if (lasts) {
    constexpr std::size_t most = 16;
    if (checked_before.size() == most) checked_before.pop_back();
    checked_before.push_front({form, request.catalogue, made});
  }
  return made;
}

bool is_study(const std::string& text, const std::string& file) {
  const auto root = root_of(text, file);
  return root && root->find("study");
}

std::vector<std::string> sources_of(const std::string& text, const std::string& file) {
  const auto nodes = nodes_of(text, file);
  return nodes ? source_names(*nodes) : std::vector<std::string>{};
}

bool keeps_missing(const std::string& text, const std::string& file, const std::string& source) {
  const auto nodes = nodes_of(text, file);
  const YamlEntry* node = nodes ? nodes->find(source) : nullptr;
  return node && says_keep(node->value);
}

std::vector<std::string> layouts_taken(const std::string& text, const std::string& file,
                                       const std::string& node) {
  const auto known = catalogue();
  std::vector<LayoutKind> kinds;
  for (const LayoutInfo& info : layouts()) kinds.push_back(info.kind);
  if (const auto nodes = nodes_of(text, file))
    for (const YamlEntry& entry : nodes->entries)
      if (entry.value.is_mapping()) narrow(entry.value, node, *known, kinds);
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const LayoutKind kind : kinds) names.emplace_back(name(kind));
  return names;
}

}  // namespace semblance::python
