// The used parts of LanceDB. Its package is CommonJS, so its bundle would have no named exports.
import lancedb from '@lancedb/lancedb';

export const { BooleanQuery, connect, Index, MatchQuery, Occur, Operator, PhraseQuery, Session } = lancedb;
