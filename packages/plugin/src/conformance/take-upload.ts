import { randomUUID } from 'node:crypto';
import { checkArtifacts } from '../protocol/artifact-rules.js';
import { findUnfitForJson } from '../protocol/json-values.js';
import { artifactTypePattern, type InlineArtifact } from '../protocol/report.js';
import { parseJson } from '../protocol/text.js';
import { isObject } from '../protocol/write-only-places.js';
import type { Attempt, Reply } from './attempt.js';
import { attemptClosed, refuse } from './replies.js';

/** Accepts a content that is uploaded before its report. */
export function takeUpload(attempt: Attempt, query: URLSearchParams, body: Buffer): Reply {
  if (attempt.outcome !== null) return attemptClosed('SETTLED');
  const type = query.get('type') ?? '';
  const content_type = query.get('content_type') ?? '';
  const fault = faultOf(type, content_type, body);
  if (fault !== null) {
    attempt.refusedUploads.push(fault);
    return refuse(400, 'VALIDATION_FAILED', `The upload is invalid: ${fault}.`);
  }
  const upload_id = randomUUID();
  attempt.uploads.set(upload_id, { type, content_type });
  return { status: 201, body: { upload_id, type, content_type, size_bytes: body.byteLength } };
}

function faultOf(type: string, contentType: string, body: Buffer): string | null {
  if (!new RegExp(artifactTypePattern).test(type))
    return 'the query parameter type is not a valid artifact type';
  switch (contentType) {
    case 'text':
      return body.equals(Buffer.from(body.toString())) ? null : 'the text is not UTF-8';
    case 'json':
    case 'vector':
      return jsonFault(type, contentType, body.toString());
    default:
      return 'the query parameter content_type is not text, json or vector';
  }
}

function jsonFault(type: string, content_type: 'json' | 'vector', text: string): string | null {
  const content = parseJson(text);
  if (content === undefined) return 'it is not JSON';
  if (content_type === 'json')
    return isObject(content) ? (findUnfitForJson(content)?.message ?? null) : 'the JSON is not an object';
  if (!Array.isArray(content)) return 'the vector is not an array';
  const artifact: InlineArtifact = { type, content_type, content };
  return checkArtifacts({ status: 'SUCCESS', artifact })[0]?.message ?? null;
}
