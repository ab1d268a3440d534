import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkArtifacts, encodeContent } from '../protocol/artifact-rules.js';
import { findUnfitForJson } from '../protocol/json-values.js';
import { checkFailure } from '../protocol/failure-details.js';
import {
  artifactsOf,
  excludedKeys,
  isUploaded,
  maxInlineContentBytes,
  maxReportBytes,
  reportSchema,
  type Report,
} from '../protocol/report.js';
import { parseJson } from '../protocol/text.js';
import type { Attempt } from './attempt.js';

const validate = new Ajv2020({
  discriminator: true,
  strict: false,
  allErrors: true,
  validateFormats: false,
}).compile<Report>(reportSchema);

/** A report as parsed by Core. */
export interface ReadReport {
  readonly report: Report | null;
  /** Whether its status is PROGRESS, even if the report is invalid. */
  readonly claimsProgress: boolean;
  /** Describes for people why the report is invalid. */
  readonly faults: readonly string[];
  readonly longestContent: number;
  readonly isTooLarge: boolean;
}

/** Parses a report with Core's own rules. */
export function readReport(body: Buffer, { uploads }: Pick<Attempt, 'uploads'>): ReadReport {
  const json = parseJson(body);
  const longestContent = longestContentOf(json);
  const isTooLarge = body.byteLength > maxReportBytes || longestContent > maxInlineContentBytes;
  const claimsProgress = (json as { status?: unknown } | null | undefined)?.status === 'PROGRESS';
  const seen = { claimsProgress, longestContent, isTooLarge };
  if (json === undefined) return { ...seen, report: null, faults: ['it is not JSON'] };
  if (!validate(json)) {
    const errors = validate.errors ?? [];
    const excluded = new Set(
      errors.flatMap(({ keyword, instancePath: at }) => (keyword === 'not' ? at : [])),
    );
    const faults = errors
      // Two keys that exclude each other break this rule too, whose message says less.
      .filter(({ keyword, instancePath }) => keyword !== 'oneOf' || !excluded.has(instancePath))
      .map(({ keyword, instancePath, message = 'is not valid' }) =>
        `${instancePath} ${keyword === 'not' ? excludedKeys : message}`.trim(),
      );
    return { ...seen, report: null, faults: [...new Set(faults)].slice(0, 5) };
  }
  if (json.status === 'PROGRESS') return { ...seen, report: json, faults: [] };
  const findings = json.status === 'SUCCESS' ? checkArtifacts(json) : checkFailure(json);
  const faults = findings.map(({ path, message }) => `${path} ${message}`);
  if (json.status === 'FAILURE') return { ...seen, report: json, faults };
  for (const artifact of artifactsOf(json)) {
    const { type, metadata = {} } = artifact;
    for (const [place, value] of Object.entries({
      content: isUploaded(artifact) ? {} : artifact.content,
      metadata,
    })) {
      const unfit = findUnfitForJson(value);
      if (unfit !== null) faults.push(`the ${place} of ${type}${unfit.path} ${unfit.message}`);
    }
    if (!isUploaded(artifact)) continue;
    const upload = uploads.get(artifact.upload_id);
    if (upload === undefined) faults.push(`there is no upload ${artifact.upload_id} of this attempt`);
    else if (upload.type !== artifact.type || upload.content_type !== artifact.content_type)
      faults.push(`the upload ${artifact.upload_id} is of another type or content_type`);
  }
  return { ...seen, report: json, faults };
}

/** Returns the length of the longest content in a body, which need not be a valid report. */
function longestContentOf(json: unknown): number {
  const { artifact, artifacts } = (json ?? {}) as { artifact?: unknown; artifacts?: unknown };
  const candidates = [artifact, ...(Array.isArray(artifacts) ? (artifacts as unknown[]) : [])];
  return Math.max(
    0,
    ...candidates.map((candidate) => {
      const content = (candidate as { content?: unknown } | null | undefined)?.content;
      if (content === undefined) return 0;
      return encodeContent({ content_type: typeof content === 'string' ? 'text' : 'json', content })
        .byteLength;
    }),
  );
}
