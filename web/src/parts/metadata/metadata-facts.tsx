import type { ReactElement } from 'react';
import { formatCount } from '../format.js';
import { JsonTree } from '../json-tree/json-tree.js';
import { readMetadata } from './read-metadata.js';
import classes from './metadata-facts.module.css';

interface MetadataFactsProps {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly label: string;
  /** Shows facts side by side instead of one per line. */
  readonly isWide?: boolean;
  /** Shows keys and values as they were written. */
  readonly isVerbatim?: boolean;
}

/** Shows metadata as names and values; nested values as a tree. */
export function MetadataFacts(props: MetadataFactsProps): ReactElement | null {
  const { metadata, label, isWide = false, isVerbatim = false } = props;
  const { facts, nested } = readMetadata(metadata, isVerbatim);
  if (facts.length === 0 && nested.length === 0) return null;
  return (
    <section className={classes.metadata} aria-label={label} data-wide={isWide || undefined}>
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map(({ key, name, value }) => (
            <div key={key} className={classes.fact}>
              <dt dir="auto" title={key}>
                {name}
              </dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {nested.map(({ key, name, value, count }) => (
        <details key={key} className={classes.nested}>
          <summary title={key}>
            <bdi>{name}</bdi>{' '}
            <span className="dim">{count === 1 ? '1 entry' : `${formatCount(count)} entries`}</span>
          </summary>
          <JsonTree value={value} label={name} className={classes.tree} />
        </details>
      ))}
    </section>
  );
}
