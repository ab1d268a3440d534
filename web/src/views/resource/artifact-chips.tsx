import { Tooltip } from '@mantine/core';
import { IconAlignLeft, IconBraces, IconVector, type Icon } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Artifact } from '@knowledge-warehouse/client';
import { formatBytes } from '../../parts/format.js';
import classes from './artifact-chips.module.css';

interface ArtifactChipsProps {
  readonly artifacts: readonly Artifact[];
  /** The newest run: what is older was left by a run before it. */
  readonly run: number;
  readonly onOpen: (artifact: Artifact) => void;
}

export const contentIcons: Readonly<Record<Artifact['content_type'], Icon>> = {
  text: IconAlignLeft,
  json: IconBraces,
  vector: IconVector,
};

/** What a step made, to be looked at. */
export function ArtifactChips({ artifacts, run, onOpen }: ArtifactChipsProps): ReactElement | null {
  if (artifacts.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Artifacts">
      {artifacts.map((artifact) => {
        const { id, type, content_type, size_bytes } = artifact;
        const ContentIcon = contentIcons[content_type];
        const isOlder = artifact.run < run;
        const chip = (
          <button type="button" className={classes.chip} onClick={() => onOpen(artifact)}>
            <ContentIcon size={15} stroke={1.8} aria-hidden />
            <span className={classes.type}>{type}</span>
            <span className={classes.size}>{formatBytes(size_bytes)}</span>
            {isOlder && <span className={classes.size}>run {artifact.run}</span>}
            <span className={classes.view}>View result</span>
          </button>
        );
        return (
          <li key={id}>
            {isOlder ? (
              <Tooltip label={`Of run ${artifact.run}: the newest run has not made it anew.`}>{chip}</Tooltip>
            ) : (
              chip
            )}
          </li>
        );
      })}
    </ul>
  );
}
