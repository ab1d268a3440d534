import { Suspense, useMemo, type ReactElement } from 'react';
import type { ConfigWarning } from '@knowledge-warehouse/client';
import type { JsonObject } from '../../../api/client.js';
import { lazyPart } from '../../../parts/lazy-part.js';
import { PageLoader } from '../../../parts/layout/page-loader.js';
import type { ConfigDraft } from './use-config-draft.js';
import { isObject } from '@knowledge-warehouse/plugin/protocol';
import { writeConfig } from './config-text.js';
import type { FormNode } from './form-schema.js';
import { ErrorBoundary } from '../../../parts/error-boundary.js';
import { secretPlaces } from './secrets.js';
import classes from './config-editor.module.css';

// The library is larger than most views, so it is loaded when a config with a form is first shown.
const SchemaForm = lazyPart(() => import('./schema-form.js'));

interface ConfigFormProps {
  readonly schema: FormNode;
  /** The plugin's declared schema, from which the form's schema was created. */
  readonly declared: unknown;
  readonly draft: ConfigDraft;
  readonly config: JsonObject;
  readonly warnings: readonly ConfigWarning[];
  readonly onUnreadable: (id: string, problem: string | null) => void;
  readonly onFailure: () => void;
}

/** Shows a field for each member that the plugin declares. Other members of the config are kept. */
export function ConfigForm(props: ConfigFormProps): ReactElement {
  const { schema, declared, draft, config, warnings, onUnreadable, onFailure } = props;
  const { stored, secrets } = draft;
  const context = useMemo(() => {
    const isKept = (value: unknown): boolean => typeof value === 'string' && secrets.has(value);
    return {
      isSecretAt: secretPlaces(declared),
      isKept,
      markAt: (path: readonly (string | number)[]) => {
        // An item may have moved meanwhile.
        const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), stored);
        return isKept(value) ? (value as string) : undefined;
      },
      onUnreadable,
    };
  }, [declared, stored, secrets, onUnreadable]);
  const others = Object.keys(config).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  return (
    <ErrorBoundary onFailure={onFailure}>
      <Suspense fallback={<PageLoader />}>
        <SchemaForm
          schema={schema}
          config={config}
          context={context}
          warnings={warnings}
          onChange={(next) => draft.edit(writeConfig(next))}
        />
      </Suspense>
      {others.length > 0 && (
        <p className={`dim small ${classes.others ?? ''}`}>Also set (edit as JSON): {others.join(', ')}.</p>
      )}
    </ErrorBoundary>
  );
}
