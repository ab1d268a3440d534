import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { formatCount } from '../../../../parts/format.js';
import { ChunkCard } from '../chunks/chunk-card.js';
import type { ShownChunk } from '../chunks/read-chunks.js';
import { VectorPlot } from './vector-plot.js';
import { measure } from './vector-measures.js';
import classes from './vector-content.module.css';

interface VectorDetailProps {
  readonly vector: Float32Array;
  readonly index: number;
  /** The chunk of the vector, once loaded. */
  readonly chunk: ShownChunk | null;
  /** Shows the chunk; null: the vector belongs to no chunk. */
  readonly onChunk: (() => void) | null;
}

/** One vector: its measures, its plot, its first values, and its chunk. */
export function VectorDetail({ vector, index, chunk, onChunk }: VectorDetailProps): ReactElement {
  const { min, max, mean, length } = measure(vector);
  const facts = [
    ['Dimensions', formatCount(vector.length)],
    ['Length', show(length)],
    ['Smallest', show(min)],
    ['Largest', show(max)],
    ['Mean', show(mean)],
  ] as const;
  const toChunk = onChunk !== null && (
    <Button
      size="compact-xs"
      variant="default"
      rightSection={<IconArrowRight size={13} aria-hidden />}
      onClick={onChunk}
    >
      Show chunk {formatCount(index)}
    </Button>
  );
  return (
    <div className={classes.detail}>
      {chunk === null ? (
        toChunk && <p className={classes.toChunk}>{toChunk}</p>
      ) : (
        <div className={classes.chunk}>
          <ChunkCard chunk={chunk} index={index}>
            {toChunk || null}
          </ChunkCard>
        </div>
      )}
      <dl className={classes.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="tabular">{text}</dd>
          </div>
        ))}
      </dl>
      <VectorPlot vector={vector} />
      <h3 className={classes.title}>First values</h3>
      <pre className={classes.values} tabIndex={0} role="region" aria-label="First values">
        {Array.from(vector.subarray(0, 64), show).join('  ')}
        {vector.length > 64 ? ' …' : ''}
      </pre>
    </div>
  );
}

const show = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });
