import type { ReactElement } from 'react';
import { measure, toColumns, type Vector } from './vector-measures.js';
import classes from './vector-content.module.css';

const width = 900;
const height = 180;
const mostColumns = 450;

/** Plots the values of a vector side by side, above and below zero. */
export function VectorPlot({ vector }: { readonly vector: Vector }): ReactElement {
  const { min, max } = measure(vector);
  const top = Math.max(max, 0);
  const range = top - Math.min(min, 0) || 1;
  const y = (value: number): number => ((top - value) / range) * height;
  const columns = toColumns(vector, mostColumns);
  const step = width / Math.max(columns.length, 1);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classes.plot}
      role="img"
      aria-label={`${vector.length} values from ${min} to ${max}`}
    >
      {columns.map(({ low, high }, index) => (
        <rect
          key={index}
          x={index * step}
          width={Math.max(step * 0.8, 0.5)}
          y={y(high)}
          height={Math.max(y(low) - y(high), 0.5)}
          className={high > -low ? classes.above : classes.below}
        />
      ))}
      <line x1={0} x2={width} y1={y(0)} y2={y(0)} className={classes.zero} />
    </svg>
  );
}
