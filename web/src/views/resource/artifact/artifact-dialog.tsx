import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactElement } from 'react';
import { apiBase } from '../../../api/client.js';
import { useArtifact } from '../../../api/resources.js';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { Dialog } from '../../../parts/dialog.js';
import { ErrorState } from '../../../parts/error-state.js';
import { formatBytes } from '../../../parts/format.js';
import { PageLoader } from '../../../parts/page-loader.js';
import { Ago } from '../../../parts/time.js';
import { ArtifactContentView } from './artifact-content.js';
import classes from './artifact-dialog.module.css';

interface ArtifactDialogProps {
  readonly resource: Resource;
  readonly artifact: Artifact;
  readonly onClose: () => void;
}

/** Bytes. What is larger is loaded when it is asked for: the browser holds it several times over. */
const largestUnasked = 20_000_000;

/** An artifact with its content. When a run replaces the content while it is shown, the new one comes in. */
export function ArtifactDialog({ resource, artifact, onClose }: ArtifactDialogProps): ReactElement {
  const { id, type, plugin_id, run, size_bytes, updated_at } = artifact;
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [isWanted, setIsWanted] = useState(size_bytes <= largestUnasked);
  const query = useArtifact(resource.id, id, updated_at, isWanted);
  return (
    <Dialog
      onClose={onClose}
      size="min(1000px, 92vw)"
      fullScreen={isPhone}
      title={
        <span className={classes.title}>
          <span>{type}</span>
          <span className={classes.facts}>
            {formatBytes(size_bytes)} · made by {plugin_id} in run {run}, <Ago at={updated_at} />
          </span>
        </span>
      }
    >
      {!isWanted && (
        <div className={classes.large}>
          <p>This is {formatBytes(size_bytes)}: showing it may take the browser a while.</p>
          <Group justify="center" mt="md">
            <Button variant="default" onClick={() => setIsWanted(true)}>
              Show it
            </Button>
            <Button
              component="a"
              href={`${apiBase}/resources/${resource.id}/artifacts/${id}`}
              download={`${resource.name}.${type}.json`}
            >
              Download
            </Button>
          </Group>
        </div>
      )}
      {isWanted && query.isPending && <PageLoader />}
      {query.isLoadingError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <ArtifactContentView content={query.data} fileName={`${resource.name}.${type}`} />
      )}
    </Dialog>
  );
}
