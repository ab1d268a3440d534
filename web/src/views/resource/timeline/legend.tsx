import type { ReactElement } from 'react';
import { SegmentMark } from './segment-mark.js';
import type { Segment, SegmentKind } from './segments.js';
import { kindNames } from './words.js';
import classes from './timeline.module.css';

const order: readonly SegmentKind[] = ['run', 'callback', 'queue', 'retry'];

/** A legend of the marks that occur. */
export function Legend({ segments }: { readonly segments: readonly Segment[] }): ReactElement {
  const kinds = new Set<SegmentKind>(segments.map(({ kind }) => (kind === 'start' ? 'queue' : kind)));
  return (
    <ul className={classes.legend}>
      {order
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <SegmentMark
              segment={{ kind, from: 0, to: null, attempt: null, isEnd: false, message: null }}
              isFailed={false}
            />
            {kindNames[kind]}
          </li>
        ))}
    </ul>
  );
}
