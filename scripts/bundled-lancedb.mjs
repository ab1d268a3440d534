// What the service uses of LanceDB. Its package is CommonJS, of which a bundle has no named exports by itself.
import lancedb from '@lancedb/lancedb';

export const { connect, Index, MatchQuery, Operator, PhraseQuery, Session } = lancedb;
