import { uuidv7 } from '../../core/ids.js';
import { checkArtifacts } from '../../core/wire/artifact-rules.js';
import { reportedArtifactSchema, type ReportedArtifact } from '../../core/wire/report.js';
import { PluginFailure, type EmittedArtifact } from '../../plugins/sdk/index.js';
import { findingsOf } from '../../runtime/validation.js';
import type { StoredArtifact } from '../../storage/artifacts.js';
import type { ObjectStore } from '../../storage/object-store/index.js';
import { dropStored, storeArtifact } from '../../storage/object-store/store-artifacts.js';

/** What an attempt has emitted so far: stored, but pointed to by no row before the attempt succeeds. */
export interface Emitted {
  /** Tells this attempt's outcome when it is written again, because it was unclear whether it had been. */
  readonly id: string;
  readonly artifacts: readonly StoredArtifact[];
  emit(artifact: EmittedArtifact): Promise<void>;
  /** Removes what was stored, for an attempt that came to nothing. */
  discard(): Promise<void>;
}

export function createEmitted(objectStore: ObjectStore, resourceId: string): Emitted {
  const artifacts: StoredArtifact[] = [];
  const types = new Set<string>();
  return {
    id: uuidv7(),
    artifacts,
    async emit(artifact) {
      const reported = artifact as ReportedArtifact;
      const findings = findingsOf(reportedArtifactSchema, { ...reported, content: sample(reported) });
      if (findings.length === 0) findings.push(...checkArtifacts([reported], ''));
      if (types.has(artifact.type))
        findings.push({ path: '/type', message: `${artifact.type} was emitted before` });
      if (findings.length > 0) {
        const message = `The plugin emitted an invalid artifact: ${findings[0]?.path ?? ''} ${findings[0]?.message ?? ''}`;
        throw new PluginFailure('INVALID_RESULT', message, {
          retryable: false,
          details: { errors: findings },
        });
      }
      types.add(artifact.type);
      artifacts.push(await storeArtifact(objectStore, resourceId, reported));
    },
    discard: () => dropStored(objectStore, artifacts),
  };
}

/** The schema is asked about the kind of content; `checkArtifacts` looks at every number of a vector. */
function sample(artifact: ReportedArtifact): unknown {
  return Array.isArray(artifact.content) ? artifact.content.slice(0, 1) : artifact.content;
}
