// SPDX-License-Identifier: MIT
#include "runtime/run/shared_study.hpp"

#include <algorithm>

#include "pipeline/node_identity.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/workers/work_together.hpp"
#include "study/selection.hpp"
#include "support/files/hash.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Options under which a worker writes only its log.
RunOptions of_worker(RunOptions options) {
  options.out = options.shared->own_folder();
  return options;
}

/// The graph, and the part of it that each variant uses.
Json part_json(const std::string& part, const Study& study, const StudySession& open) {
  Json variants = Json::array();
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    Json entry = {{"name", study.variants[v].name}, {"nodes", open.merged.places[v]}};
    if (!open.errors[v].empty()) entry["error"] = open.errors[v];
    variants.push_back(std::move(entry));
  }
  return {{"part", part},
          {"nodes", graph_json(open.session->progress())},
          {"variants", std::move(variants)}};
}

WorkEnd work_in(Session& session, SharedRun& shared) {
  WorkEnd end = WorkEnd::complete;
  session.execute([&] { end = work_together(session.progress(), session.data(), shared); });
  session.journal().close_display();
  return end;
}

Json identity_of(const Pipeline& pipeline, const Catalogue& catalogue) {
  Json nodes = Json::array();
  for (const PipelineNode& node : pipeline.nodes) {
    Json entry = node_identity(node, catalogue, PathValues::leave_out);
    entry["name"] = node.name;
    entry["code"] = node.entry->plugin->hash;
    for (const auto& input : node.inputs) entry["inputs"][input.port] = input.nodes;
    nodes.push_back(std::move(entry));
  }
  return nodes;
}

Json content_of(const Study& study, const Catalogue& catalogue);

Json content_of(const SelectingPipeline& pipeline, const Catalogue& catalogue) {
  Json content = {{"nodes", identity_of(static_cast<const Pipeline&>(pipeline), catalogue)}};
  if (pipeline.selection) {
    content["trials"] = content_of(pipeline.selection->trials, catalogue);
    content["leave_one_out"] = pipeline.selection->leave_one_out;
  }
  return content;
}

Json content_of(const Study& study, const Catalogue& catalogue) {
  Json content = {{"metric", study.metric_node + "." + study.metric},
                  {"seed", study.seed},
                  {"repeats", study.repeats},
                  {"baseline", study.baseline ? Json(*study.baseline) : Json()},
                  {"over", study.over ? Json(*study.over) : Json()}};
  for (const StudySlot& slot : study.slots) content["slots"][slot.name] = slot.alternatives;
  for (const StudyVariant& variant : study.variants) {
    Json entry = content_of(variant.pipeline, catalogue);
    entry["name"] = variant.name;
    content["variants"].push_back(hash_of(entry.dump()));
  }
  for (const StudyStep& step : study.steps) {
    Json entry = content_of(step.study, catalogue);
    entry["step"] = step.name;
    entry["within"] = step.within;
    content["steps"].push_back(std::move(entry));
  }
  return content;
}

std::string hash_of_content(Json content) {
  content["version"] = SEMBLANCE_VERSION;
  return hash_of(content.dump());
}

}  // namespace

void work_on_study(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                   const std::string& part, const std::map<std::size_t, std::string>& left_out) {
  const RunOptions own = of_worker(options);
  for (WorkEnd end = WorkEnd::session_lost; end != WorkEnd::complete;) {
    StudySession open(study, catalogue, own, false);
    for (const auto& [variant, message] : left_out) open.leave_out(variant, message);
    open.prepare(true);
    options.shared->enter(part, part_json(part, study, open));
    end = work_in(*open.session, *options.shared);
  }
}

void work_on_pipeline(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const std::string& part, bool cross_validated) {
  const RunOptions own = of_worker(options);
  for (WorkEnd end = WorkEnd::session_lost; end != WorkEnd::complete;) {
    std::string failure;
    RunPurpose purpose{.cross_validated = cross_validated, .keeps_states = false};
    purpose.on_failure = [&](std::size_t, const std::string& message) { failure = message; };
    purpose.failures = options.shared->failures();
    purpose.shares_work = true;
    Session session(pipeline, catalogue, own, purpose);
    session.execute([&] { session.prepare(); });
    options.shared->enter(
        part,
        {{"part", part}, {"nodes", graph_json(session.progress())}, {"variants", Json::array()}});
    end = work_in(session, *options.shared);
    if (end != WorkEnd::complete) continue;
    const auto failures = options.shared->failures();
    for (std::size_t i = 0; i < session.graph().size(); ++i)
      if (const auto known = failures.find(session.graph().facts(i).key); known != failures.end())
        throw Error(known->second);
    if (!failure.empty()) throw Error(failure);
  }
}

std::string identity_of(const Study& study, const Catalogue& catalogue) {
  return hash_of_content(content_of(study, catalogue));
}

std::string identity_of(const SelectingPipeline& pipeline, const Catalogue& catalogue) {
  return hash_of_content(content_of(pipeline, catalogue));
}

}  // namespace semblance
