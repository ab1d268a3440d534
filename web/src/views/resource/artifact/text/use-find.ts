import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { findMatches, type Match } from './find.js';

/** A search in a text. */
export interface Find {
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly matches: readonly Match[];
  /** The index of the shown match, from 0. */
  readonly at: number;
  readonly current: Match | undefined;
  /** Shows the next match or the previous one. */
  readonly step: (by: 1 | -1) => void;
}

/** Finds words in the pieces of a text, after a pause in typing. */
export function useFind(pieces: readonly string[], pauseMs: number): Find {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [sought] = useDebouncedValue(words, pauseMs);
  const matches = useMemo(() => findMatches(pieces, sought), [pieces, sought]);
  const count = matches.length;
  return {
    words,
    setWords: (next) => {
      setWords(next);
      setAt(0);
    },
    matches,
    at,
    current: matches[at],
    step: (by) => count > 0 && setAt((at + by + count) % count),
  };
}
