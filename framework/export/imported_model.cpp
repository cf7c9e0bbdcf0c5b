// SPDX-License-Identifier: MIT
#include "export/imported_model.hpp"

#include "runtime/results/model.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/session/session.hpp"
#include "study/check_pipeline.hpp"

namespace semblance {
namespace {

void take_machine(Component& solver, const ImportedMachine& machine) {
  if (machine.vectors)
    dynamic_cast<TakesSupportVectors&>(solver).take(*machine.vectors);
  else
    dynamic_cast<TakesLiblinearMachine&>(solver).take(*machine.linear);
}

}  // namespace

void write_imported_model(const ImportedMachine& machine, const Catalogue& catalogue,
                          const RunOptions& options, const std::filesystem::path& out) {
  CheckOptions checking;
  checking.check_files = false;
  checking.needs_result = false;
  checking.of_model = true;
  PipelineCheck checked = check_pipeline(machine.pipeline, "imported", catalogue, checking);
  if (!checked.pipeline) throw Error(render(checked.diagnostics));
  KnownShapes shapes;
  shapes.without_data = true;
  shapes.outputs[machine.source] = Layout::sparse(machine.inputs);
  shapes.classes[machine.source] = machine.classes;
  shapes.columns[machine.source] = {};
  shapes.outputs[machine.solver] = Layout::vector(machine.classes.size());
  Session session(*checked.pipeline, catalogue, options, RunPurpose{.judged_elsewhere = true},
                  &shapes);
  session.execute([&] {
    session.prepare_prediction("");
    for (std::size_t i = 0; i < session.graph().size(); ++i) {
      if (session.graph().node(i).name() != machine.solver) continue;
      session.data().guard(i, "importing the machine",
                           [&] { take_machine(*session.graph().node(i).parts.at(0), machine); });
      session.progress().ready(i);
    }
    complete_record(session.progress(), session.data());
    save_model(session.progress(), session.catalogue(), out);
  });
}

}  // namespace semblance
