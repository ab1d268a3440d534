import { ServiceError, type ValidationFinding } from '../../core/errors.js';
import { deepestJson } from '../../core/json/json-bounds.js';
import {
  checkArtifacts,
  checkNesting,
  encodeContent,
  checkFailure,
  artifactsOf,
  isObject,
  isUploaded,
  mapArtifacts,
  maxInlineContentBytes,
  type Report,
  type ReportedArtifact,
} from '@knowledge-warehouse/plugin/protocol';
import { jsonHash } from '../../core/json/canonical-json.js';

/**
 * How to read a body that contains arbitrary JSON. The result consists of texts and bytes, which are fast to pass
 * between threads.
 */
export interface BodyForm {
  /** Throws errors that take precedence over all other checks of the request. */
  precheck(body: unknown): void;
  /** Called with a body that matches its schema. */
  condense(body: unknown): { readonly findings: readonly ValidationFinding[] } | { readonly body: unknown };
}

const largestConfig = 256 * 1024;

/** Throws INVALID_PLUGIN unless a body holds a config that is an object. */
function requireConfigObject(body: unknown): void {
  if (isObject(body) && Object.hasOwn(body, 'config') && isObject(body['config'])) return;
  throw new ServiceError('INVALID_PLUGIN', 'config must be a JSON object.', {
    errors: [{ path: '/config', message: 'must be a JSON object' }],
  });
}

/** Throws INVALID_PLUGIN if a body holds a config that is not an object. The config may be missing. */
function refuseOtherConfig(body: unknown): void {
  if (isObject(body) && Object.hasOwn(body, 'config')) requireConfigObject(body);
}

/** A body about a plugin, with arbitrary JSON values as texts. */
export type CondensedPlugin<Body> = Omit<Body, 'config' | 'config_schema'> & {
  readonly config?: string;
  readonly config_schema?: string | null;
};

function condensePlugin(body: unknown): ReturnType<BodyForm['condense']> {
  const { config, config_schema, ...rest } = body as Record<string, unknown>;
  const values = Object.entries({ config, config_schema }).filter(([, value]) => value !== undefined);
  const findings: ValidationFinding[] = [];
  const texts = values.map(([name, value]): [string, string | null] => {
    if (levelsOf(value) > deepestJson) {
      findings.push({ path: `/${name}`, message: `is nested deeper than ${deepestJson} levels` });
      return [name, null];
    }
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > largestConfig)
      findings.push({ path: `/${name}`, message: `is larger than ${largestConfig / 1024} KiB` });
    return [name, value === null ? null : text];
  });
  return findings.length > 0 ? { findings } : { body: { ...rest, ...Object.fromEntries(texts) } };
}

/** Returns how deeply objects and arrays are nested. Recursion is safe: parsing has already limited the depth. */
function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let most = 0;
  for (const item of Object.values(value)) most = Math.max(most, levelsOf(item));
  return most + 1;
}

/** An accepted report, with contents as the bytes that are stored. */
export interface CondensedReport {
  readonly report: Report;
  /** Equal for equal reports. */
  readonly hash: string;
  /** The metadata of its artifacts as JSON texts, in the order of `artifactsOf`; null: none. */
  readonly metadata: readonly (string | null)[];
}

/** Throws PAYLOAD_TOO_LARGE for too long inline content, before the rest of the report is checked. */
function refuseOversize(body: unknown): void {
  const { artifact, artifacts } = (body ?? {}) as { artifact?: unknown; artifacts?: unknown };
  for (const candidate of [artifact, ...(Array.isArray(artifacts) ? (artifacts as unknown[]) : [])]) {
    const content = (candidate as { content?: unknown } | null | undefined)?.content;
    if (content === undefined) continue;
    const bytes = Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content));
    if (bytes > maxInlineContentBytes) {
      throw new ServiceError(
        'PAYLOAD_TOO_LARGE',
        `Inline content can have at most ${maxInlineContentBytes} bytes.`,
        { limit_bytes: maxInlineContentBytes },
      );
    }
  }
}

function condenseReport(body: unknown): { findings: ValidationFinding[] } | { body: CondensedReport } {
  const report = body as Report;
  if (report.status === 'PROGRESS') return { body: { report, hash: '', metadata: [] } };
  const findings =
    report.status === 'SUCCESS' ? [...checkArtifacts(report), ...checkNesting(report)] : checkFailure(report);
  if (findings.length > 0) return { findings };
  const hash = jsonHash(report);
  if (report.status === 'FAILURE') return { body: { report, hash, metadata: [] } };
  const metadata = artifactsOf(report).map((artifact) =>
    artifact.metadata === undefined ? null : JSON.stringify(artifact.metadata),
  );
  return { body: { report: mapArtifacts(report, encoded), hash, metadata } };
}

function encoded(artifact: ReportedArtifact): ReportedArtifact {
  const { type, content_type } = artifact;
  if (isUploaded(artifact)) return { type, content_type, upload_id: artifact.upload_id };
  return { type, content_type, content: encodeContent(artifact) };
}

const nothing = (): void => undefined;

export const bodyForms = {
  plain: { precheck: nothing, condense: (body: unknown) => ({ body }) },
  plugin: { precheck: refuseOtherConfig, condense: condensePlugin },
  config: { precheck: requireConfigObject, condense: condensePlugin },
  report: { precheck: refuseOversize, condense: condenseReport },
} as const satisfies Readonly<Record<string, BodyForm>>;

export type BodyFormName = keyof typeof bodyForms;
