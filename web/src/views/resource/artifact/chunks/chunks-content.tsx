import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { rowEstimate } from '../../../../parts/row-estimate.js';
import { ChunkCard } from './chunk-card.js';
import { ChunkVector } from './chunk-vector.js';
import { ContentTools } from '../content-tools.js';
import { groupByPiece } from '../text/find.js';
import { FindBar } from '../text/find-bar.js';
import { useFind } from '../text/use-find.js';
import { useLinkedVectors } from './linked.js';
import { PickRow } from '../vectors/pick-row.js';
import type { ShownChunk } from './read-chunks.js';
import type { ShownArtifact } from '../shown-artifact.js';
import dialog from '../artifact-dialog.module.css';
import classes from './chunks-content.module.css';

interface ChunksContentProps {
  readonly shown: ShownArtifact;
  readonly chunks: readonly ShownChunk[];
  readonly value: unknown;
}

/** Chunks as cards with their place, size and vector. If there are many, only visible ones are rendered. */
export function ChunksContent({ shown, chunks, value }: ChunksContentProps): ReactElement {
  const { resource, artifact, onShow } = shown;
  const pane = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(shown.at);
  const texts = useMemo(() => chunks.map(({ text }) => text), [chunks]);
  const find = useFind(texts, 150);
  const { matches, current } = find;
  const byChunk = useMemo(() => groupByPiece(matches), [matches]);
  const vectors = useLinkedVectors(resource, artifact);
  const rows = useVirtualizer({
    count: chunks.length,
    getScrollElement: () => pane.current,
    estimateSize: () => rowEstimate(220, chunks.length),
    overscan: 4,
  });
  useEffect(() => {
    if (chosen !== null && chosen < chunks.length) rows.scrollToIndex(chosen, { align: 'start' });
  }, [rows, chosen, chunks.length]);
  useEffect(() => {
    if (current !== undefined) rows.scrollToIndex(current.piece, { align: 'start' });
  }, [rows, current]);
  return (
    <>
      <ContentTools shown={shown} text={() => JSON.stringify(value, null, 2)}>
        <PickRow label="Go to chunk" noun="chunk" count={chunks.length} value={chosen} onChange={setChosen} />
      </ContentTools>
      <FindBar find={find} label="Find in the chunks" />
      <div ref={pane} className={dialog.pane} tabIndex={0} role="region" aria-label="Chunks">
        <div className={classes.space} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              ref={rows.measureElement}
              data-index={index}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {chunks[index] && (
                <ChunkCard
                  chunk={chunks[index]}
                  index={index}
                  isChosen={index === chosen}
                  matches={byChunk.get(index) ?? []}
                  current={current}
                >
                  <ChunkVector
                    index={index}
                    vectors={vectors}
                    onShow={() => vectors !== null && onShow(vectors.artifact.id, index)}
                  />
                </ChunkCard>
              )}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
