import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { useResource, useRuns } from '../../api/resources.js';
import type { Resource } from '@knowledge-warehouse/client';
import { changed } from '../../parts/changed-parameters.js';
import { Announce } from '../../parts/messages/announce.js';
import { Columns } from '../../parts/layout/columns.js';
import { DeletedState } from '../../parts/messages/deleted-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { looks } from '../../parts/status/status.js';
import { ArtifactDialog } from './artifact/artifact-dialog.js';
import { PlaceSection } from './place/place-section.js';
import { placeNames, readPlace, textOf } from './place/place.js';
import { ResourceFacts } from './resource-facts.js';
import { ResourceHeader } from './resource-header.js';
import { ResourceNotices } from './resource-notices.js';
import { RunSection } from './run-section.js';
import { RunTimeline, type ShownTimes } from './timeline/run-timeline.js';

/** The URL parameter of the chosen run. In the URL of a search hit, `run` is the run of the hit. */
const runName = 'shown_run';

/** One resource: its run step by step, its artifacts and its actions. */
export default function ResourceView({ id }: { readonly id: string }): ReactElement {
  const query = useResource(id);
  if (query.data === undefined) return <LoadingState query={query} isWholeView />;
  const { value: resource, etag, isDeleted } = query.data;
  if (isDeleted === true) return <DeletedState kind="resource" name={resource.name} list="resources" />;
  return (
    <>
      <ResourceHeader resource={resource} etag={etag} />
      <Announce>{`The resource is ${looks[resource.status].label.toLowerCase()}.`}</Announce>
      <Columns aside={<ResourceFacts resource={resource} />} asideWidth={300}>
        <ResourceNotices resource={resource} />
        <ShownRun resource={resource} />
      </Columns>
    </>
  );
}

/** Shows the run and the artifact in the URL; by default the newest run. */
function ShownRun({ resource }: { readonly resource: Resource }): ReactElement {
  const runs = useRuns(resource.id);
  const [parameters, setParameters] = useSearchParams();
  const change = (changes: Readonly<Record<string, string>>): void =>
    setParameters((before) => changed(before, changes));
  const show = (id: string, at?: number): void =>
    change({ artifact: id, at: at === undefined ? '' : String(at) });
  const artifactId = parameters.get('artifact');
  const artifact = resource.artifacts.find(({ id }) => id === artifactId) ?? null;
  const place = readPlace(parameters, resource.run);
  const text = textOf(resource);
  const chosen = Number(parameters.get(runName) ?? resource.run);
  const earlier = runs.data?.items.find(({ run }) => run === chosen && run !== resource.run) ?? null;
  return (
    <>
      {place !== null && text !== null && (
        <PlaceSection
          resource={resource}
          text={text}
          place={place}
          onClose={() => change(Object.fromEntries(placeNames.map((name) => [name, ''])))}
        />
      )}
      <RunSection
        resource={resource}
        runs={runs.data?.items ?? []}
        earlier={earlier}
        onChoose={(run) => change({ [runName]: run === resource.run ? '' : String(run) })}
        onArtifact={({ id }) => show(id)}
      />
      <RunTimeline
        key={chosen}
        resource={resource}
        run={earlier ?? newestRun(resource)}
        steps={earlier?.steps ?? resource.steps}
      />
      {artifact !== null && (
        <ArtifactDialog
          key={artifact.id}
          resource={resource}
          artifact={artifact}
          at={readRow(parameters.get('at'))}
          onShow={show}
          onClose={() => change({ artifact: '', at: '' })}
        />
      )}
    </>
  );
}

/** Returns the newest run from the resource's own fields. */
const newestRun = ({ run, started_at, finished_at, created_at }: Resource): ShownTimes => ({
  run,
  started_at: started_at ?? created_at,
  finished_at,
});

/** Returns the row of an artifact in the URL, or null. */
const readRow = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
