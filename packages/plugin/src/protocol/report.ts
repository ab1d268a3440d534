import { contentTypes, type ContentType } from './step.js';

/** Maximum inline content of one artifact, in bytes of UTF-8 (JSON and vectors as sent). */
export const maxInlineContentBytes = 1024 * 1024;
/** Maximum size of a report, in bytes. */
export const maxReportBytes = 4 * 1024 * 1024;
/** Maximum metadata of an artifact, in bytes of JSON. */
export const maxMetadataBytes = 16 * 1024;
/** Maximum details of a failure, in bytes of JSON. */
export const maxDetailsBytes = 64 * 1024;
/** Maximum result that an activity may return instead of a report, in bytes of JSON. */
export const maxResultBytes = 256 * 1024;

export const artifactTypePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';

/** A finding of a validation: a JSON Pointer into the message, and the error there. */
export interface ValidationFinding {
  readonly path: string;
  readonly message: string;
}

interface ArtifactHead {
  readonly type: string;
  readonly content_type: ContentType;
  readonly metadata?: Record<string, unknown> | { toJSON(): unknown };
}

/** An artifact with its content inside the report. */
export interface InlineArtifact extends ArtifactHead {
  /** As in the report, or the bytes that `encodeContent` returned for it. */
  readonly content: unknown;
}

/** An artifact whose content was uploaded before with PUT …/uploads by the same attempt. */
export interface UploadedArtifact extends ArtifactHead {
  readonly upload_id: string;
}

export type ReportedArtifact = InlineArtifact | UploadedArtifact;

/** Whether an artifact's content was uploaded before its report. */
export function isUploaded(artifact: ReportedArtifact): artifact is UploadedArtifact {
  return 'upload_id' in artifact;
}

export interface SuccessReport {
  readonly status: 'SUCCESS';
  readonly artifact?: ReportedArtifact;
  readonly artifacts?: readonly ReportedArtifact[];
}

export interface FailureReport {
  readonly status: 'FAILURE';
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly retryable?: boolean;
    readonly retry_after_seconds?: number;
    readonly details?: Record<string, unknown>;
  };
}

export interface ProgressReport {
  readonly status: 'PROGRESS';
  readonly progress: { readonly fraction?: number; readonly message?: string };
}

export type Report = SuccessReport | FailureReport | ProgressReport;

const artifactProperties = {
  type: { type: 'string', pattern: artifactTypePattern, description: 'Unique within the report.' },
  metadata: { type: 'object', description: 'At most 16 KiB as JSON.' },
  upload_id: {
    type: 'string',
    format: 'uuid',
    description: 'Instead of `content`: the `upload_id` that PUT …/uploads returned to this attempt.',
  },
} as const;

/** Describes the failure of `not`, which the schemas use only for keys that exclude each other. */
export const excludedKeys = 'has two keys of which only one is allowed';

/** An artifact whose content has one type. */
const reportedAs = <const Type extends ContentType, const Title extends string, const Content extends object>(
  contentType: Type,
  title: Title,
  content: Content,
) =>
  ({
    title,
    additionalProperties: false,
    properties: { ...artifactProperties, content_type: { const: contentType }, content },
    oneOf: [{ required: ['content'] }, { required: ['upload_id'] }],
    // Checked first, because its message names the mistake.
    not: { required: ['content', 'upload_id'] },
  }) as const;

export const reportedArtifactSchema = {
  type: 'object',
  required: ['type', 'content_type'],
  properties: {
    content_type: { type: 'string', enum: contentTypes, description: 'The type of the content.' },
  },
  discriminator: { propertyName: 'content_type' },
  oneOf: [
    reportedAs('text', 'TextReportedArtifact', { type: 'string', description: 'At most 1 MiB of UTF-8.' }),
    reportedAs('json', 'JsonReportedArtifact', {
      type: 'object',
      description: 'Any JSON object; at most 1 MiB.',
    }),
    reportedAs('vector', 'VectorReportedArtifact', {
      description: 'Numbers, or arrays of numbers that all have the same length.',
      type: 'array',
      items: { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'number' } }] },
    }),
  ],
} as const;

/** JSON Schema of the body of `POST /internal/artifacts/{resource_id}`. */
export const reportSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: {
      type: 'string',
      enum: ['SUCCESS', 'FAILURE', 'PROGRESS'],
      description: 'SUCCESS and FAILURE settle the attempt; PROGRESS reports the progress.',
    },
  },
  discriminator: { propertyName: 'status' },
  oneOf: [
    {
      title: 'SuccessReport',
      additionalProperties: false,
      properties: {
        status: { const: 'SUCCESS' },
        artifact: reportedArtifactSchema,
        artifacts: {
          type: 'array',
          items: reportedArtifactSchema,
          maxItems: 100,
          description:
            'Several artifacts of different types, instead of `artifact`. A success without artifacts is valid.',
        },
      },
      not: { required: ['artifact', 'artifacts'] },
    },
    {
      title: 'FailureReport',
      additionalProperties: false,
      properties: {
        status: { const: 'FAILURE' },
        error: {
          type: 'object',
          description: 'Why it failed.',
          additionalProperties: false,
          properties: {
            code: { type: 'string', minLength: 1, maxLength: 100, description: 'A code for programs.' },
            message: { type: 'string', maxLength: 10_000, description: 'A message for people.' },
            retryable: {
              type: 'boolean',
              default: true,
              description: 'False: the step fails at once, even if attempts are left.',
            },
            retry_after_seconds: {
              type: 'number',
              minimum: 0,
              description:
                'The pause before the next attempt, if it is longer than that of the step; at most an hour.',
            },
            details: { type: 'object', description: 'Further details; at most 64 KiB as JSON.' },
          },
        },
      },
    },
    {
      title: 'ProgressReport',
      additionalProperties: false,
      required: ['progress'],
      properties: {
        status: { const: 'PROGRESS' },
        progress: {
          type: 'object',
          description: 'The progress of the attempt.',
          additionalProperties: false,
          properties: {
            fraction: {
              type: 'number',
              minimum: 0,
              maximum: 1,
              description: 'The completed fraction: 1 is complete.',
            },
            message: { type: 'string', maxLength: 1_000, description: 'A message for people.' },
          },
        },
      },
    },
  ],
} as const;

/** JSON Schema of the result that an activity may return instead of a report. */
export const activityResultSchema = {
  type: 'object',
  properties: { artifacts: { type: 'array', items: reportedArtifactSchema, maxItems: 100 } },
} as const;

/**
 * Returns why the result of an activity is refused although it matches the schema, as a text that follows "The result".
 * Null: it is not refused. A refused one has no `artifacts`, so it would count as a success without any.
 */
export function findMisreport(result: object): string | null {
  const { status, artifact } = result as { readonly status?: unknown; readonly artifact?: unknown };
  if (status === 'FAILURE')
    return 'is a failure report, which only the callback accepts. Throw an ApplicationFailure to fail the attempt.';
  if (artifact !== undefined && artifact !== null)
    return 'has `artifact`, which only the callback accepts. Return a list of artifacts as `artifacts`.';
  return null;
}

/** Returns the artifacts of a success; a success without artifacts is valid. */
export function artifactsOf(report: SuccessReport): readonly ReportedArtifact[] {
  if (report.artifact !== undefined) return [report.artifact];
  return report.artifacts ?? [];
}

/** Returns a success report with each artifact replaced. */
export function mapArtifacts(
  report: SuccessReport,
  map: (artifact: ReportedArtifact, position: number) => ReportedArtifact,
): SuccessReport {
  const { artifact, artifacts } = report;
  return {
    ...report,
    ...(artifact && { artifact: map(artifact, 0) }),
    ...(artifacts && { artifacts: artifacts.map(map) }),
  };
}
