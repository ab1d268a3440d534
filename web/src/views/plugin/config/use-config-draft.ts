import { useMemo, useState } from 'react';
import type { Plugin } from '@knowledge-warehouse/client';
import type { JsonObject } from '../../../api/client.js';
import { readConfig, writeConfig } from './config-text.js';
import { maskSecrets, renewSecrets, restoreSecrets, type MaskedConfig, type Secrets } from './secrets.js';

interface Draft {
  readonly text: string;
  /** The version it is based on. Changes by others are not merged into it. */
  readonly etag: string | null;
  readonly base: MaskedConfig;
}

export interface ConfigDraft {
  /** The config as JSON, with marks in place of secrets. */
  readonly text: string;
  /** The object in the text, or why there is none. */
  readonly config: JsonObject | string;
  /** The config stored by the service, with the same marks. */
  readonly stored: JsonObject;
  readonly secrets: Secrets;
  readonly etag: string | null;
  readonly isChanged: boolean;
  readonly edit: (text: string) => void;
  readonly drop: () => void;
  /** Returns the config to send, with its secrets: those of a newer version if it replaces that one. */
  readonly toSent: (config: JsonObject, replaced?: Plugin) => JsonObject;
}

/** The config of a plugin while it is edited. The user edits its text, directly or through a form. */
export function useConfigDraft(plugin: Plugin, etag: string | null): ConfigDraft {
  const { config, config_schema } = plugin;
  const masked = useMemo(() => maskSecrets(config_schema, config), [config_schema, config]);
  const [draft, setDraft] = useState<Draft | null>(null);
  const storedText = useMemo(() => writeConfig(masked.config), [masked]);
  const text = draft?.text ?? storedText;
  const base = draft?.base ?? masked;
  return {
    text,
    config: useMemo(() => readConfig(text), [text]),
    stored: masked.config,
    secrets: base.secrets,
    etag: draft === null ? etag : draft.etag,
    isChanged: draft !== null && text !== storedText,
    edit: (next) => next !== text && setDraft({ text: next, etag: draft === null ? etag : draft.etag, base }),
    drop: () => setDraft(null),
    toSent: (value, replaced) =>
      restoreSecrets(
        value,
        replaced === undefined
          ? base.secrets
          : renewSecrets(base, maskSecrets(replaced.config_schema, replaced.config)),
      ),
  };
}
