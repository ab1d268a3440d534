import { deepest } from './json-values.js';
import {
  artifactsOf,
  isUploaded,
  maxInlineContentBytes,
  maxMetadataBytes,
  type InlineArtifact,
  type ReportedArtifact,
  type SuccessReport,
  type ValidationFinding,
} from './report.js';

/** Returns an artifact's content as it is stored and served to workers: text as UTF-8, all else as JSON. */
export function encodeContent(artifact: Pick<InlineArtifact, 'content_type' | 'content'>): Buffer {
  const { content_type, content } = artifact;
  if (content instanceof Uint8Array) return Buffer.from(content.buffer, content.byteOffset, content.length);
  return Buffer.from(content_type === 'text' ? (content as string) : JSON.stringify(content));
}

/** Returns the JSON Pointer to an artifact of a report, by its index. */
export function artifactPath(report: SuccessReport, position: number): string {
  return report.artifact === undefined ? `/artifacts/${position}` : '/artifact';
}

/** Checks the rules for a report's artifacts that JSON Schema cannot express. */
export function checkArtifacts(report: SuccessReport): ValidationFinding[] {
  const seen = new Set<string>();
  const findings: ValidationFinding[] = [];
  artifactsOf(report).forEach((artifact, position) => {
    const { type, content_type, metadata } = artifact;
    const add = (member: string, message: string): void =>
      void findings.push({ path: `${artifactPath(report, position)}/${member}`, message });
    if (seen.has(type)) add('type', `${type} occurs twice`);
    seen.add(type);
    if (Buffer.byteLength(JSON.stringify(metadata ?? {})) > maxMetadataBytes)
      add('metadata', `must be at most ${maxMetadataBytes} bytes as JSON`);
    const hasVector = content_type === 'vector' && !isUploaded(artifact);
    if (hasVector && !isVector(artifact.content as readonly unknown[]))
      add('content', 'must be finite numbers, or arrays of them of equal length');
  });
  return findings;
}

/** Checks how deeply the contents and metadata of a report are nested. The report has been read from JSON. */
export function checkNesting(report: SuccessReport): ValidationFinding[] {
  return artifactsOf(report).flatMap((artifact, position) =>
    Object.entries({
      content: isUploaded(artifact) ? null : artifact.content,
      metadata: artifact.metadata,
    })
      .filter(([, value]) => isTooDeep(value))
      .map(([name]) => ({
        path: `${artifactPath(report, position)}/${name}`,
        message: `is nested deeper than ${deepest} levels`,
      })),
  );
}

/** Looks at one level after the other, so that no value is too deep for it. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNesting);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const next: object[] = [];
    for (const each of level) for (const item of Object.values(each)) if (isNesting(item)) next.push(item);
    level = next;
  }
  return false;
}

const isNesting = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns an artifact whose inline content is longer than allowed, if there is one. */
export function findOversizeArtifact(artifacts: readonly ReportedArtifact[]): ReportedArtifact | undefined {
  return artifacts.find(
    (artifact) => !isUploaded(artifact) && encodeContent(artifact).byteLength > maxInlineContentBytes,
  );
}

function isVector(content: readonly unknown[]): boolean {
  const first = content[0];
  if (!Array.isArray(first)) return content.every(Number.isFinite);
  return content.every(
    (row) =>
      Array.isArray(row) && row.length === first.length && row.every((value) => Number.isFinite(value)),
  );
}
