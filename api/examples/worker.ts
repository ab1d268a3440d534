import { resourceId, sourceHash, textId, uploadId } from './ids.js';

const internal = 'https://kw.example.com/api/v1/internal';
const token =
  'kwt_WyIwMTlhYTA5OS02YTNiLTdkNGUtOGE1MS0wZTZmMmE5YjNjNGQiLDEsMSwxLDE3NjM3MTc3MDBd.q0dV1mK4rX8cLwYp2nTzJ7sHfGbA5eQuR3iOxWkNhPM';

/** A worker's claim of the handbook's second step. */
export const claim = { resource_id: resourceId, run: 1, step_index: 1, attempt: 1 };

/** The response to the claim. */
export const step = {
  protocol: 'kw.step/1',
  attempt: { number: 1, max: 3, deadline: '2025-11-20T09:35:02.791Z', remaining_ms: 299_987 },
  run: 1,
  step_index: 1,
  resource: {
    id: resourceId,
    name: 'Archive handbook',
    type: 'document',
    source_type: 'UPLOAD',
    media_type: 'application/pdf',
    size_bytes: 151_142,
    sha256: sourceHash,
    metadata: { team: 'archive', year: 2025, tags: ['handbook', 'printed'] },
    source_url: `${internal}/resources/${resourceId}/source`,
  },
  plugin: { id: 'chunk-text', config: { size: 512, overlap: 64 } },
  inputs: [
    {
      artifact_id: textId,
      type: 'text',
      content_type: 'text',
      metadata: {
        text_format: 'plain',
        pages: [
          { number: 1, start: 0 },
          { number: 2, start: 1_874 },
        ],
      },
      url: `${internal}/resources/${resourceId}/inputs/${textId}`,
    },
  ],
  callback: { url: `${internal}/artifacts/${resourceId}`, token },
};

/** Reports of the worker of `ocr` about an attempt at a scan. */
export const reports = {
  Progress: { status: 'PROGRESS', progress: { fraction: 0.4, message: 'page 8 of 20' } },
  'Success with an artifact': {
    status: 'SUCCESS',
    artifact: {
      type: 'text',
      content_type: 'text',
      content: 'Minutes of the meeting of 12 March 1987',
      metadata: { pages: [{ number: 1, start: 0 }], language: 'en' },
    },
  },
  'Success with several artifacts, one of them uploaded before': {
    status: 'SUCCESS',
    artifacts: [
      { type: 'text', content_type: 'text', upload_id: uploadId },
      { type: 'pages', content_type: 'json', content: { count: 20, blank: [3, 17] } },
    ],
  },
  'Failure that can be retried': {
    status: 'FAILURE',
    error: {
      code: 'ENGINE_BUSY',
      message: 'All engines are busy.',
      retryable: true,
      retry_after_seconds: 30,
    },
  },
  'Permanent failure': {
    status: 'FAILURE',
    error: { code: 'UNREADABLE', message: 'The scan is blank.', retryable: false, details: { page: 3 } },
  },
};
