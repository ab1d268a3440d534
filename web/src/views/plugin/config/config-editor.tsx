import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import { isApiError } from '../../../api/client.js';
import { useSaveConfig } from '../../../api/plugins.js';
import type { ConfigWarning, Plugin } from '@knowledge-warehouse/client';
import type { JsonObject, Tagged } from '../../../api/client.js';
import { AllowedButton } from '../../../parts/allowed-button.js';
import { Card } from '../../../parts/card.js';
import { showDone } from '../../../parts/notices.js';
import { useRefusal } from '../../../parts/permission.js';
import { Problem } from '../../../parts/problem.js';
import { useUnsaved } from '../../../parts/unsaved.js';
import { ConfigForm } from './config-form.js';
import { ConfigJson } from './config-json.js';
import { formFields, readConfig, writeConfig } from './schema-fields.js';
import classes from './config-editor.module.css';
import { Notice } from '../../../parts/notice.js';

interface ConfigEditorProps {
  readonly plugin: Plugin;
  readonly etag: string | null;
  /** Loads the plugin anew and answers with it. */
  readonly onReload: () => Promise<Tagged<Plugin> | undefined>;
}

/**
 * The config of a plugin: as a form where the plugin declares a schema, and as JSON always. Its text is what is edited,
 * the form only another way to write it.
 */
export function ConfigEditor({ plugin, etag, onReload }: ConfigEditorProps): ReactElement {
  const fields = formFields(plugin.config_schema);
  const save = useSaveConfig(plugin.id);
  const isForbidden = useRefusal('admin') !== null;
  const [mode, setMode] = useState(fields.length > 0 ? 'form' : 'json');
  const [draft, setDraft] = useState<{ readonly text: string; readonly etag: string | null } | null>(null);
  const [warnings, setWarnings] = useState<readonly ConfigWarning[]>([]);

  const stored = writeConfig(plugin.config);
  const text = draft?.text ?? stored;
  const config = readConfig(text);
  useUnsaved(draft !== null && text !== stored);
  const edit = (next: string): void => setDraft({ text: next, etag: draft === null ? etag : draft.etag });
  const send = (based: string | null, value: JsonObject): void =>
    save.mutate(
      { config: value, etag: based },
      {
        onSuccess: ({ value: saved }) => {
          setWarnings(saved.config_warnings);
          setDraft(null);
          showDone(
            saved.config_warnings.length === 0 ? 'The config is saved' : 'The config is saved, with warnings',
          );
        },
      },
    );
  const isObject = typeof config !== 'string';
  const isConflict = isApiError(save.error, 'PRECONDITION_FAILED');
  const drop = (): void => {
    setDraft(null);
    save.reset();
  };

  return (
    <Card aria-labelledby="config-title">
      <div className={classes.head}>
        <h2 id="config-title">Config</h2>
        {fields.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label="How the config is shown"
            value={mode}
            onChange={setMode}
            data={[
              { value: 'form', label: 'Form', disabled: !isObject },
              { value: 'json', label: 'JSON' },
            ]}
          />
        )}
      </div>
      <p className="dim small">
        It counts for the attempts that begin after it was saved, and replaces the one before.
      </p>
      <div className={classes.body}>
        {mode === 'form' && isObject ? (
          <ConfigForm
            fields={fields}
            config={config}
            isReadOnly={isForbidden}
            onChange={(next) => edit(writeConfig(next))}
          />
        ) : (
          <ConfigJson
            text={text}
            problem={isObject ? null : config}
            isReadOnly={isForbidden}
            onChange={edit}
          />
        )}
      </div>
      {warnings.length > 0 && draft === null && <Warnings warnings={warnings} />}
      <Problem error={save.error}>
        {isConflict && isObject && (
          <Group gap="xs" mt="sm">
            <Button size="xs" variant="default" onClick={() => void onReload().then(drop)}>
              Load theirs, drop mine
            </Button>
            <Button size="xs" variant="default" onClick={() => send(null, config)}>
              Save mine over theirs
            </Button>
          </Group>
        )}
      </Problem>
      <Group justify="flex-end" gap="xs" mt="md">
        {draft !== null && (
          <Button variant="default" onClick={drop}>
            Undo changes
          </Button>
        )}
        <AllowedButton
          scope="admin"
          loading={save.isPending}
          refusal={
            isObject
              ? draft === null || text === stored
                ? 'Nothing was changed yet.'
                : null
              : 'It is no JSON object.'
          }
          onClick={() => isObject && send(draft?.etag ?? etag, config)}
        >
          Save config
        </AllowedButton>
      </Group>
    </Card>
  );
}

const Warnings = ({ warnings }: { readonly warnings: readonly ConfigWarning[] }): ReactElement => (
  <Notice
    tone="amber"
    role="status"
    icon={<IconAlertTriangle size={19} />}
    title="Saved, though it does not match what the plugin declares"
  >
    <ul className={classes.warnings}>
      {warnings.map(({ path, message }) => (
        <li key={path + message}>
          <code>{path === '' ? 'config' : path.slice(1)}</code> {message}
        </li>
      ))}
    </ul>
  </Notice>
);
