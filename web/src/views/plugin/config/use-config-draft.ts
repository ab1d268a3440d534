import { useMemo, useState } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import type { JsonObject } from '../../../api/client.js';
import { readConfig, writeConfig } from './config-text.js';
import { maskSecrets, restoreSecrets, type Secrets } from './secrets.js';

interface Draft {
  readonly text: string;
  /** What it is based on: changes by others are not mixed into it. */
  readonly etag: string | null;
  readonly secrets: Secrets;
}

export interface ConfigDraft {
  /** The config as JSON, with marks in place of secrets. */
  readonly text: string;
  /** The object that the text holds, or why it holds none. */
  readonly config: JsonObject | string;
  /** The config that the service holds, with the same marks. */
  readonly stored: JsonObject;
  readonly secrets: Secrets;
  readonly etag: string | null;
  readonly isChanged: boolean;
  readonly edit: (text: string) => void;
  readonly drop: () => void;
  /** The config to be sent: with its secrets. */
  readonly toSent: (config: JsonObject) => JsonObject;
}

/** The config of a plugin while it is edited. The text is what is edited; a form is another way to write it. */
export function useConfigDraft(plugin: Plugin, etag: string | null): ConfigDraft {
  const { config, config_schema } = plugin;
  const masked = useMemo(() => maskSecrets(config_schema, config), [config_schema, config]);
  const [draft, setDraft] = useState<Draft | null>(null);
  const storedText = useMemo(() => writeConfig(masked.config), [masked]);
  const text = draft?.text ?? storedText;
  const { secrets } = draft ?? masked;
  return {
    text,
    config: useMemo(() => readConfig(text), [text]),
    stored: masked.config,
    secrets,
    etag: draft === null ? etag : draft.etag,
    isChanged: draft !== null && text !== storedText,
    edit: (next) =>
      next !== text && setDraft({ text: next, etag: draft === null ? etag : draft.etag, secrets }),
    drop: () => setDraft(null),
    toSent: (value) => restoreSecrets(value, secrets),
  };
}
