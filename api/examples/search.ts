import { chunksId, resourceId } from './ids.js';

const place = {
  index: 4,
  start: 1800,
  end: 1861,
  page_start: 7,
  page_end: 8,
  headings: ['Intake', 'Boxes'],
};

export const hit = {
  resource: {
    id: resourceId,
    name: 'Archive handbook',
    type: 'document',
    source_type: 'UPLOAD',
    source_uri: null,
    metadata: { department: 'archive' },
  },
  run: 1,
  artifact_id: chunksId,
  chunk: place,
  text: 'Boxes of glass negatives stay upright and are never stacked.',
  highlights: [{ start: 9, end: 14 }],
  before: [],
  after: [],
  score: 7.1,
  url: `https://kw.example.com/resources/${resourceId}?run=1&chunk=4&start=1800&end=1861&page=7`,
};

export const answer = { mode: 'text', fallback: null, items: [hit] };

export const neighbour = {
  chunk: { index: 5, start: 1861, end: 1893, page_start: 8, page_end: 8, headings: ['Intake', 'Boxes'] },
  text: 'Label each box on its short side.',
};

export const request = { q: '"glass negatives" -film', type: ['document'], limit: 5 };

export const status = {
  engine: 'lancedb',
  uri: 'lancedb:s3://knowledge/search',
  created_at: '2025-11-02T18:20:04.517Z',
  available: true,
  problem: null,
  resources: 4_180,
  chunks: 61_422,
  failed: 1,
  failures: [
    {
      resource_id: '0199d8f2-6a31-7c54-9e0b-5b1f7f2c3a90',
      name: 'Ledger 1931',
      run: 1,
      error: 'INVALID_CHUNKS: The chunk at index 3 has no text.',
    },
  ],
  pending: 14,
  oldest_pending_at: '2025-11-20T09:45:11.310Z',
  upkeep_failing_since: null,
  rebuilding: false,
  rebuild: null,
};
