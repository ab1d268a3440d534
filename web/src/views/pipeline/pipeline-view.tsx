import { useState, type ReactElement } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { usePipeline } from '../../api/pipelines.js';
import type { Pipeline } from '@knowledge-warehouse/client';
import type { Tagged } from '../../api/client.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { BackLink } from '../../parts/layout/back-link.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { EmptyState } from '../../parts/messages/empty-state.js';
import { DeletedState } from '../../parts/messages/deleted-state.js';
import { LoadingState } from '../../parts/messages/loading-state.js';
import { newStep, toDraft } from './draft.js';
import { PipelineEditor } from './pipeline-editor.js';

/** Edits a pipeline. The id "new" creates one. */
export default function PipelineView({ id }: { readonly id: string }): ReactElement {
  return id === 'new' ? <NewPipeline /> : <KnownPipeline id={id} />;
}

function NewPipeline(): ReactElement {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const [initial] = useState(() => ({
    name: '',
    trigger_type: parameters.get('trigger_type') ?? '',
    steps: [newStep()],
  }));
  const refusal = useRefusal('admin');
  if (refusal !== null)
    return (
      <>
        <PageHeader title="New pipeline" back={<BackLink to="/pipelines">Pipelines</BackLink>} />
        <EmptyState title="Only admin keys can create pipelines">{refusal}</EmptyState>
      </>
    );
  return (
    <PipelineEditor
      id={null}
      initial={initial}
      etag={null}
      onOpen={({ value }) => navigate(`/pipelines/${value.id}`, { replace: true })}
    />
  );
}

function KnownPipeline({ id }: { readonly id: string }): ReactElement {
  const query = usePipeline(id);
  // The version that was opened for editing. Later changes by others are not merged into it.
  const [opened, setOpened] = useState<Tagged<Pipeline> | null>(null);
  if (query.data === undefined) return <LoadingState query={query} isWholeView />;
  const { value: pipeline, isDeleted } = query.data;
  if (isDeleted === true) return <DeletedState kind="pipeline" name={pipeline.name} list="pipelines" />;
  const base = opened ?? query.data;
  if (opened === null) setOpened(query.data);
  // A response that was still under way when this user saved is older.
  const isNewer = query.data.value.updated_at > base.value.updated_at;
  const reload = async (): Promise<void> => {
    const { data } = await query.refetch();
    if (data !== undefined && data.isDeleted !== true) setOpened(data);
  };
  return (
    <PipelineEditor
      key={base.etag ?? base.value.updated_at}
      id={id}
      initial={toDraft(base.value)}
      etag={base.etag}
      newer={isNewer ? query.data : null}
      onOpen={setOpened}
      onReload={() => void reload()}
    />
  );
}
