import { useState, type ReactElement } from 'react';
import { useArtifact } from '../../../../api/resources.js';
import { useVectors } from '../../../../api/vectors.js';
import { ErrorState } from '../../../../parts/messages/error-state.js';
import { Notice } from '../../../../parts/messages/notice.js';
import { PageLoader } from '../../../../parts/layout/page-loader.js';
import { ContentTools } from '../content-tools.js';
import { chunksOf, vectorsOf } from '../chunks/linked.js';
import { PickRow } from './pick-row.js';
import { readChunks, type ShownChunk } from '../chunks/read-chunks.js';
import { largestAutoLoaded, type ShownArtifact } from '../shown-artifact.js';
import { VectorDetail } from './vector-detail.js';
import { VectorList } from './vector-list.js';
import classes from './vector-content.module.css';

/** Shows a single vector as a plot with its measures, or a list of vectors with the selected one and its chunk. */
export function VectorContent({ shown }: { readonly shown: ShownArtifact }): ReactElement {
  const { resource, artifact, onShow } = shown;
  const [tries, setTries] = useState(0);
  const [chosen, setChosen] = useState(shown.at ?? 0);
  const { rows, count, fraction, isComplete, error } = useVectors(resource.id, artifact, true, tries);
  const chunksArtifact = chunksOf(resource, artifact);
  const chunks = useChunks(shown, chunksArtifact);
  if (error !== null) return <ErrorState error={error} onRetry={() => setTries(tries + 1)} />;
  if (count === 0 && !isComplete) return <PageLoader />;
  const vector = rows[chosen];
  const isOutdated = chunksArtifact !== null && vectorsOf(resource, chunksArtifact)?.isOutdated === true;
  return (
    <>
      <ContentTools shown={shown} text={() => JSON.stringify(Array.from(vector ?? []))}>
        {count > 1 && (
          <PickRow label="Which vector" noun="vector" count={count} value={chosen} onChange={setChosen} />
        )}
      </ContentTools>
      {!isComplete && (
        <p role="status" className="dim small">
          Loading: {Math.floor(fraction * 100)} %
        </p>
      )}
      {isOutdated && (
        <Notice tone="amber" title="The chunks have changed">
          A newer run has re-chunked the text, so a vector may not match the chunk beside it.
        </Notice>
      )}
      <div className={count > 1 ? classes.sides : undefined}>
        {count > 1 && (
          <VectorList rows={rows} count={count} chunks={chunks} chosen={chosen} onChoose={setChosen} />
        )}
        <VectorDetail
          vector={vector ?? new Float32Array()}
          index={chosen}
          chunk={chunks?.[chosen] ?? null}
          onChunk={chunksArtifact === null ? null : () => onShow(chunksArtifact.id, chosen)}
        />
      </div>
    </>
  );
}

/** Returns the chunks that rows belong to, once loaded; null if there are none, or too many to load automatically. */
function useChunks(
  { resource, artifact }: ShownArtifact,
  chunks: ShownArtifact['artifact'] | null,
): readonly ShownChunk[] | null {
  const { id, updated_at, size_bytes, type } = chunks ?? artifact;
  const isWanted = chunks !== null && size_bytes <= largestAutoLoaded;
  const { data } = useArtifact(resource.id, id, updated_at, isWanted);
  return isWanted && data !== undefined ? readChunks(type, data.content) : null;
}
