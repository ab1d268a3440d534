import { Button, Stack } from '@mantine/core';
import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { newId } from '../../api/new-id.js';
import { useSavePipeline } from '../../api/pipelines.js';
import type { Pipeline } from '@knowledge-warehouse/client';
import { isApiError, type Tagged } from '../../api/client.js';
import { AllowedButton } from '../../parts/actions/allowed-button.js';
import { BackLink } from '../../parts/layout/back-link.js';
import { Card } from '../../parts/layout/card.js';
import { ConflictActions, OtherVersion } from '../../parts/messages/conflict-actions.js';
import { quoted } from '../../parts/format.js';
import { showDone } from '../../parts/messages/notices.js';
import { PageHeader } from '../../parts/layout/page-header.js';
import { useRefusal } from '../../parts/actions/permission.js';
import { Problem } from '../../parts/messages/problem.js';
import { useUnsaved } from '../../parts/actions/unsaved.js';
import { DeletePipeline } from './delete-pipeline.js';
import { isSame, problemOf, toPipeline, type Draft } from './draft.js';
import { PipelineNames } from './pipeline-names.js';
import { StepList } from './step-list.js';
import { Notice } from '../../parts/messages/notice.js';

interface PipelineEditorProps {
  /** Null: a new pipeline. */
  readonly id: string | null;
  readonly initial: Draft;
  readonly etag: string | null;
  /** The version that another user saved meanwhile. */
  readonly newer?: Tagged<Pipeline> | null;
  /** Edits a version: the saved one, or that of another user. */
  readonly onOpen: (version: Tagged<Pipeline>) => void;
  readonly onReload?: () => void;
}

export function PipelineEditor(props: PipelineEditorProps): ReactElement {
  const { id, initial, etag, newer = null, onOpen, onReload } = props;
  const [first] = useState(initial);
  const [draft, setDraft] = useState(first);
  // A repeated request keeps its Idempotency-Key as long as its content is the same.
  const said = JSON.stringify(toPipeline(draft));
  const idempotencyKey = useMemo(() => `${newId()}-${said.length}`, [said]);
  const save = useSavePipeline();
  const refusal = useRefusal('admin');
  const isChanged = !isSame(draft, first);
  useUnsaved(isChanged && !save.isSuccess);
  useEffect(() => {
    if (newer !== null && !isChanged) onOpen(newer);
  }, [newer, isChanged, onOpen]);

  const send = (basedOn: string | null): void => {
    const pipeline = toPipeline(draft);
    save.mutate(
      id === null
        ? { id, pipeline, idempotencyKey }
        : { id, pipeline: { name: pipeline.name, steps: pipeline.steps }, etag: basedOn },
      {
        onSuccess: (saved) => {
          showDone(`${quoted(saved.value.name)} was saved`);
          onOpen(saved);
        },
      },
    );
  };
  const isConflict = isApiError(save.error, 'PRECONDITION_FAILED');
  return (
    <>
      <PageHeader
        title={id === null ? 'New pipeline' : first.name}
        back={<BackLink to="/pipelines">Pipelines</BackLink>}
        actions={
          <>
            {id !== null && (
              <DeletePipeline id={id} name={first.name} triggerType={first.trigger_type} etag={etag} />
            )}
            <AllowedButton
              scope="admin"
              loading={save.isPending}
              refusal={problemOf(draft) ?? (isChanged || id === null ? null : 'Nothing has changed yet.')}
              onClick={() => send(etag)}
            >
              {id === null ? 'Create pipeline' : 'Save'}
            </AllowedButton>
          </>
        }
      />
      {/* The saved version replaces the draft, so nothing may be typed meanwhile. */}
      <Stack gap="md" inert={save.isPending}>
        <Problem error={save.error}>
          {isConflict && (
            <ConflictActions
              path={`/pipelines/${id}`}
              onDiscard={() => onReload?.()}
              onOverwrite={() => send(null)}
            />
          )}
        </Problem>
        {newer !== null && isChanged && !isConflict && (
          <Notice tone="amber" title="Changed by someone else">
            Saving will be refused, so that it does not overwrite their version.{' '}
            <OtherVersion path={`/pipelines/${id}`} />, or load it here and lose your changes.{' '}
            <Button size="compact-xs" variant="default" onClick={onReload}>
              Load it
            </Button>
          </Notice>
        )}
        <PipelineNames draft={draft} isNew={id === null} onChange={setDraft} />
        <Card heading="Steps">
          <p className="dim small">
            Runs in progress keep their current steps.
            {refusal === null ? ' Drag a step by its handle, or move it with the arrows.' : ` ${refusal}`}
          </p>
          <StepList steps={draft.steps} onChange={(steps) => setDraft({ ...draft, steps })} />
        </Card>
      </Stack>
    </>
  );
}
