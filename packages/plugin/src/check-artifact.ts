import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { messageOf } from './protocol/text.js';
import { checkArtifacts, encodeContent } from './protocol/artifact-rules.js';
import { changedKind, findUnfitForJson } from './protocol/json-values.js';
import {
  excludedKeys,
  reportedArtifactSchema,
  type ReportedArtifact,
  type ValidationFinding,
} from './protocol/report.js';
import { invalidResult } from './plugin-failure.js';
import type { EmittedArtifact } from './types.js';
import { isStreamed } from './content-bytes.js';

let compiled: ValidateFunction | undefined;

/** Compiled for the first artifact, since it takes a tenth of a second that processes should not spend at start. */
function validator(): ValidateFunction {
  compiled ??= new Ajv2020({ discriminator: true, strict: false, validateFormats: false }).compile(
    reportedArtifactSchema,
  );
  return compiled;
}

/** Throws INVALID_RESULT for an artifact that Core would reject. The content of streams is not checked. */
export function checkArtifact(artifact: EmittedArtifact): void {
  if (typeof artifact !== 'object' || (artifact as unknown) === null)
    refuse(undefined, 'it must be an object with type, content_type and content');
  const { content, ...head } = artifact;
  const streamed = isStreamed(content);
  const reported = (streamed ? { ...head, upload_id: '' } : artifact) as ReportedArtifact;
  // The schema checks only the kind of content; every number of a vector is checked below.
  const sample = Array.isArray(content) ? { ...head, content: content.slice(0, 1) as unknown[] } : reported;
  const validate = validator();
  if (!validate(sample)) {
    const error = validate.errors?.find(({ keyword }) => keyword !== 'oneOf') ?? validate.errors?.[0];
    const { instancePath: place = '', keyword } = error ?? {};
    const message = keyword === 'not' ? excludedKeys : (error?.message ?? 'is invalid');
    const given = place === '/content' ? content : place === '/content/0' ? (content as unknown[])[0] : null;
    const kind = Buffer.isBuffer(given) ? 'a Buffer' : changedKind(given);
    refuse(artifact.type, `${place} ${kind === null ? message : `is ${kind}, but ${message}`}`);
  }
  const { type, metadata = {} } = artifact;
  const [finding] = refusing(type, '/metadata', metadata, () =>
    checkArtifacts({ status: 'SUCCESS', artifact: reported }),
  );
  if (finding !== undefined) refuse(type, `${finding.path.replace('/artifact', '')} ${finding.message}`);
  refuseUnfit(type, '/metadata', metadata);
}

/** Returns a content's bytes. Throws INVALID_RESULT for values that JSON cannot represent or that are nested too deeply. */
export function encode(artifact: EmittedArtifact): Buffer {
  const { type, content_type, content } = artifact;
  const bytes = refusing(type, '/content', content, () => encodeContent(artifact));
  if (content_type === 'json' && !(content instanceof Uint8Array)) refuseUnfit(type, '/content', content);
  return bytes;
}

function refuseUnfit(type: string, place: string, value: unknown): void {
  const unfit = findUnfitForJson(value);
  if (unfit !== null) refuse(type, `${place}${unfit.path} ${unfit.message}`);
}

/** Turns an error of `JSON.stringify` into INVALID_RESULT, which names the place of the value that it cannot write. */
function refusing<Result>(type: string, place: string, value: unknown, stringify: () => Result): Result {
  try {
    return stringify();
  } catch (error) {
    const reason = messageOf(error);
    const unfit = /circular|string length/.test(reason) ? null : findUnwritable(value);
    return refuse(type, unfit === null ? reason : `${place}${unfit.path} ${unfit.message}`);
  }
}

/** Searches a value that `JSON.stringify` cannot write. Returns null if the value itself throws an error. */
function findUnwritable(value: unknown): ValidationFinding | null {
  try {
    return findUnfitForJson(value, new Set());
  } catch {
    return null;
  }
}

function refuse(type: unknown, reason: string): never {
  throw invalidResult(`The plugin emitted an invalid artifact ${String(type)}: ${reason.trim()}`);
}
