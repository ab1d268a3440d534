// The used parts of LanceDB. Its package is CommonJS, so its bundle would have no named exports.
import lancedb from '@lancedb/lancedb';

export const { connect, Index, MatchQuery, Operator, PhraseQuery, Session } = lancedb;
