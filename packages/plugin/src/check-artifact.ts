import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { messageOf } from './protocol/text.js';
import { checkArtifacts, encodeContent } from './protocol/artifact-rules.js';
import { reportedArtifactSchema, type ReportedArtifact } from './protocol/report.js';
import { PluginFailure } from './plugin-failure.js';
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

/**
 * Returns the failure of a plugin whose result breaks the rules. It is not retryable, since another attempt would
 * produce the same result.
 */
export function invalidResult(message: string): PluginFailure {
  return new PluginFailure('INVALID_RESULT', message, { retryable: false });
}

/** Throws INVALID_RESULT for an artifact that Core would reject. The content of streams is not checked. */
export function checkArtifact(artifact: EmittedArtifact): void {
  const { content, ...head } = artifact;
  const streamed = isStreamed(content);
  const reported = (streamed ? { ...head, upload_id: '' } : artifact) as ReportedArtifact;
  // The schema checks only the kind of content; every number of a vector is checked below.
  const sample = Array.isArray(content) ? { ...head, content: content.slice(0, 1) as unknown[] } : reported;
  const validate = validator();
  if (!validate(sample)) {
    const error = validate.errors?.find(({ keyword }) => keyword !== 'oneOf') ?? validate.errors?.[0];
    refuse(artifact.type, `${error?.instancePath ?? ''} ${error?.message ?? 'is invalid'}`);
  }
  const [finding] = checkArtifacts({ status: 'SUCCESS', artifact: reported });
  if (finding !== undefined)
    refuse(artifact.type, `${finding.path.replace('/artifact', '')} ${finding.message}`);
}

/** Returns a content's bytes. Throws INVALID_RESULT for values that JSON cannot represent. */
export function encode(artifact: EmittedArtifact): Buffer {
  try {
    return encodeContent(artifact);
  } catch (error) {
    return refuse(artifact.type, messageOf(error));
  }
}

function refuse(type: unknown, reason: string): never {
  throw invalidResult(`The plugin emitted an invalid artifact ${String(type)}: ${reason.trim()}`);
}
