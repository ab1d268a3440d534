import { IconVector } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { plural } from '../../../../parts/format.js';
import type { LinkedVectors } from './linked.js';
import classes from './chunks-content.module.css';

interface ChunkVectorProps {
  readonly index: number;
  readonly vectors: LinkedVectors | null;
  readonly onShow: () => void;
}

/** Shows whether a chunk has a vector, its model and dimensions, and a link to it. */
export function ChunkVector({ index, vectors, onShow }: ChunkVectorProps): ReactElement {
  if (vectors === null || (vectors.count !== null && index >= vectors.count))
    return <span className={classes.vector}>No vector</span>;
  const { dimensions, model, isOutdated } = vectors;
  const facts = [
    ...(model === null ? [] : [model]),
    ...(dimensions === null ? [] : [plural(dimensions, 'dimension')]),
  ];
  return (
    <button
      type="button"
      className={classes.vector}
      aria-label={`Vector of chunk ${index}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`}
      onClick={onShow}
    >
      <IconVector size={14} stroke={1.8} aria-hidden />
      <span>{isOutdated ? 'Vector of an older run' : 'Vector'}</span>
      {facts.length > 0 && <bdi className={classes.model}>{facts.join(' · ')}</bdi>}
    </button>
  );
}
