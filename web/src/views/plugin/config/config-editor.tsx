import { Button, Group, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { useSaveConfig } from '../../../api/plugins.js';
import type { ConfigWarning, Plugin } from '@knowledge-warehouse/client';
import { isApiError, type JsonObject, type Tagged } from '../../../api/client.js';
import { AllowedButton } from '../../../parts/actions/allowed-button.js';
import { Card } from '../../../parts/layout/card.js';
import { ConflictActions } from '../../../parts/messages/conflict-actions.js';
import { showDone } from '../../../parts/messages/notices.js';
import { Problem } from '../../../parts/messages/problem.js';
import { useUnsaved } from '../../../parts/actions/unsaved.js';
import { ConfigForm } from './config-form.js';
import { ConfigJson } from './config-json.js';
import { ConfigWarnings } from './config-warnings.js';
import { toFormSchema } from './form-schema.js';
import { useConfigDraft } from './use-config-draft.js';
import classes from './config-editor.module.css';

interface ConfigEditorProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
  /** Reloads the plugin, and acts on it unless it is gone. */
  readonly onReload: (act: (current: Tagged<Plugin>) => void) => Promise<void>;
}

const formFailed = 'The form cannot be shown.';
/** Libraries lose the member `__proto__` when they copy objects. */
const holdsProto = (config: unknown): boolean => JSON.stringify(config).includes('"__proto__":');

/** Edits the config of a plugin: as a form if its schema supports one, and always as JSON. */
export function ConfigEditor({ plugin, etag, onReload }: ConfigEditorProps): ReactElement {
  const form = useMemo(() => toFormSchema(plugin.config_schema), [plugin.config_schema]);
  const save = useSaveConfig(plugin.id);
  const draft = useConfigDraft(plugin, etag);
  const { text, config, isChanged } = draft;
  const [mode, setMode] = useState<string>('form');
  const [hasFailed, setHasFailed] = useState(false);
  const [dropped, setDropped] = useState(0);
  const [warnings, setWarnings] = useState<readonly ConfigWarning[]>([]);
  const [unreadable, setUnreadable] = useState<ReadonlyMap<string, string>>(new Map());
  const onUnreadable = useCallback(
    (id: string, problem: string | null) =>
      setUnreadable((before) => {
        if ((before.get(id) ?? null) === problem) return before;
        const others = [...before].filter(([other]) => other !== id);
        return new Map(problem === null ? others : [...others, [id, problem]]);
      }),
    [],
  );

  const why = hasFailed || holdsProto(config) ? formFailed : form.why;
  const isObject = typeof config !== 'string';
  const isForm = mode === 'form' && isObject && why === undefined && form.schema !== undefined;
  const isUnreadable = isForm && unreadable.size > 0;
  useUnsaved(isChanged || isUnreadable);

  const send = (etag: string | null, value: JsonObject): void =>
    save.mutate(
      { config: value, etag },
      {
        onSuccess: ({ value: { config_warnings } }) => {
          setWarnings(config_warnings);
          draft.drop();
          showDone(
            config_warnings.length === 0 ? 'The config was saved' : 'The config was saved, with warnings',
          );
        },
      },
    );
  const isConflict = isApiError(save.error, 'PRECONDITION_FAILED');
  const [isReloading, setIsReloading] = useState(false);
  const isSaving = save.isPending || isReloading;
  const reloadThen: ConfigEditorProps['onReload'] = (act) => {
    setIsReloading(true);
    return onReload(act).finally(() => setIsReloading(false));
  };
  const drop = (): void => {
    draft.drop();
    setDropped((count) => count + 1);
    save.reset();
  };
  const shown = isChanged ? [] : warnings;
  const refusal = !isObject
    ? 'It is not a JSON object.'
    : isUnreadable
      ? 'A field contains text that is not valid.'
      : isChanged
        ? null
        : 'Nothing has changed yet.';

  return (
    <Card aria-labelledby="config-title">
      <div className={classes.head}>
        <h2 id="config-title">Config</h2>
        {why === undefined && (
          <SegmentedControl
            size="xs"
            aria-label="How the config is shown"
            value={isForm ? 'form' : 'json'}
            onChange={setMode}
            data={[
              { value: 'form', label: 'Form', disabled: !isObject },
              { value: 'json', label: 'JSON', disabled: isUnreadable },
            ]}
          />
        )}
      </div>
      <p className="dim small">
        It replaces the current config and applies to attempts that start after saving.
        {why !== undefined && ` ${why} Edit the config as JSON.`}
        {!isForm && draft.secrets.size > 0 && ' To keep a stored secret, leave its “(kept: …)” unchanged.'}
      </p>
      {/* The saved config replaces the draft, so nothing may be typed meanwhile. */}
      <div className={classes.body} inert={isSaving}>
        {isForm ? (
          <ConfigForm
            // Text that is not valid is only in its field, so a new form removes it.
            key={dropped}
            schema={form.schema}
            declared={plugin.config_schema}
            draft={draft}
            config={config}
            warnings={shown}
            onUnreadable={onUnreadable}
            onFailure={() => setHasFailed(true)}
          />
        ) : (
          <ConfigJson text={text} problem={isObject ? null : config} onChange={draft.edit} />
        )}
      </div>
      <ConfigWarnings warnings={shown} />
      <div inert={isSaving}>
        <Problem error={save.error}>
          {isConflict && isObject && (
            <ConflictActions
              path={`/plugins/${plugin.id}`}
              onDiscard={() => void reloadThen(drop)}
              onOverwrite={() =>
                void reloadThen(({ etag, value }) => send(etag, draft.toSent(config, value)))
              }
            />
          )}
        </Problem>
      </div>
      <Group justify="flex-end" gap="xs" mt="md">
        {(isChanged || isUnreadable) && (
          <Button variant="default" disabled={isSaving} onClick={drop}>
            Undo changes
          </Button>
        )}
        <AllowedButton
          scope="admin"
          loading={isSaving}
          refusal={refusal}
          onClick={() => isObject && send(draft.etag, draft.toSent(config))}
        >
          Save config
        </AllowedButton>
      </Group>
    </Card>
  );
}
