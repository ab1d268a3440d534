import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAlignLeft, IconBraces, IconDownload, IconVector, type Icon } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { formatBytes } from '../../parts/format.js';
import { useSave } from './artifact/use-save.js';
import classes from './artifact-chips.module.css';

interface ArtifactChipsProps {
  readonly resource: Resource;
  readonly artifacts: readonly Artifact[];
  readonly onOpen: (artifact: Artifact) => void;
}

const contentIcons: Readonly<Record<Artifact['content_type'], Icon>> = {
  text: IconAlignLeft,
  json: IconBraces,
  vector: IconVector,
};

/** The artifacts of a step, to view and download. */
export function ArtifactChips({ resource, artifacts, onOpen }: ArtifactChipsProps): ReactElement | null {
  if (artifacts.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Artifacts">
      {artifacts.map((artifact) => (
        <ArtifactChip
          key={artifact.id}
          resource={resource}
          artifact={artifact}
          onOpen={() => onOpen(artifact)}
        />
      ))}
    </ul>
  );
}

interface ArtifactChipProps {
  readonly resource: Resource;
  readonly artifact: Artifact;
  readonly onOpen: () => void;
}

function ArtifactChip({ resource, artifact, onOpen }: ArtifactChipProps): ReactElement {
  const { type, content_type, size_bytes, run } = artifact;
  const { save, isSaving } = useSave(resource, artifact);
  const ContentIcon = contentIcons[content_type];
  // Created by a run before the newest one.
  const isOlder = run < resource.run;
  const chip = (
    <button type="button" className={classes.open} onClick={onOpen}>
      <ContentIcon size={15} stroke={1.8} aria-hidden />
      <span className={classes.type}>{type}</span>
      <span className={classes.size}>{formatBytes(size_bytes)}</span>
      {isOlder && <span className={classes.size}>run {run}</span>}
      <span className={classes.view}>View result</span>
    </button>
  );
  return (
    <li className={classes.chip}>
      {isOlder ? <Tooltip label={`From run ${run}: not produced by the newest run.`}>{chip}</Tooltip> : chip}
      <Tooltip label="Download">
        <ActionIcon
          variant="subtle"
          color="gray"
          radius="xl"
          className={classes.save ?? ''}
          aria-label={`Download ${type}`}
          loading={isSaving}
          onClick={save}
        >
          <IconDownload size={15} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
