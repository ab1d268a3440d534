import { NumberInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../../../parts/format.js';
import { ContentTools } from './content-tools.js';
import { VectorPlot } from './vector-plot.js';
import { measure } from './vector-measures.js';
import classes from './vector-content.module.css';

interface VectorContentProps {
  readonly value: readonly number[] | readonly (readonly number[])[];
  readonly fileName: string;
}

/** A vector, or one of many, as a plot with its measures. */
export function VectorContent({ value, fileName }: VectorContentProps): ReactElement {
  const vectors = toVectors(value);
  const [row, setRow] = useState(0);
  const vector = vectors[Math.min(row, vectors.length - 1)] ?? [];
  const { min, max, mean, length } = measure(vector);
  const facts = [
    ['Dimensions', formatCount(vector.length)],
    ['Length', show(length)],
    ['Smallest', show(min)],
    ['Largest', show(max)],
    ['Mean', show(mean)],
  ] as const;
  return (
    <>
      <ContentTools
        text={() => JSON.stringify(value)}
        fileName={`${fileName}.json`}
        mediaType="application/json"
      >
        {vectors.length > 1 && (
          <span className={classes.pick}>
            <NumberInput
              size="xs"
              w={110}
              aria-label="Which vector"
              min={0}
              max={vectors.length - 1}
              clampBehavior="strict"
              allowDecimal={false}
              value={row}
              onChange={(next) => setRow(Number(next))}
            />
            <span className="dim small">of {formatCount(vectors.length)} vectors, counted from 0</span>
          </span>
        )}
      </ContentTools>
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
        {vector.slice(0, 64).map(show).join('  ')}
        {vector.length > 64 ? ' …' : ''}
      </pre>
    </>
  );
}

/** An empty array is no vector at all. */
function toVectors(value: VectorContentProps['value']): readonly (readonly number[])[] {
  if (value.length === 0) return [];
  return Array.isArray(value[0]) ? (value as readonly (readonly number[])[]) : [value as readonly number[]];
}

const show = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });
