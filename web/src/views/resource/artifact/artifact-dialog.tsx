import { Button, Group } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useArtifact } from '../../../api/resources.js';
import { Dialog } from '../../../parts/actions/dialog.js';
import { LoadingState } from '../../../parts/messages/loading-state.js';
import { formatBytes } from '../../../parts/format.js';
import { JsonTree } from '../../../parts/json-tree/json-tree.js';
import { MetadataFacts } from '../../../parts/metadata/metadata-facts.js';
import { Ago } from '../../../parts/time.js';
import { ChunksContent } from './chunks/chunks-content.js';
import { readChunks } from './chunks/read-chunks.js';
import { ContentTools } from './content-tools.js';
import { largestAutoLoaded, type ShownArtifact } from './shown-artifact.js';
import { TextContent } from './text/text-content.js';
import { useSave } from './use-save.js';
import { VectorContent } from './vectors/vector-content.js';
import classes from './artifact-dialog.module.css';

interface ArtifactDialogProps extends ShownArtifact {
  readonly onClose: () => void;
}

/** An artifact with its metadata and its content. */
export function ArtifactDialog({ onClose, ...shown }: ArtifactDialogProps): ReactElement {
  const { type, content_type, plugin_id, run, size_bytes, updated_at, metadata } = shown.artifact;
  const [isWanted, setIsWanted] = useState(size_bytes <= largestAutoLoaded);
  return (
    <Dialog
      onClose={onClose}
      isLarge
      title={
        <span className={classes.title}>
          <span>{type}</span>
          <span className={classes.facts}>
            {formatBytes(size_bytes)} · made by {plugin_id} in run {run}, <Ago at={updated_at} />
          </span>
        </span>
      }
    >
      <MetadataFacts metadata={metadata} label="Metadata of the artifact" isWide />
      {!isWanted && <LargeContent shown={shown} onWanted={() => setIsWanted(true)} />}
      {isWanted && (content_type === 'vector' ? <VectorContent shown={shown} /> : <Loaded shown={shown} />)}
    </Dialog>
  );
}

/** Loads the content, again whenever a run replaces it, and shows it in its most readable form. */
function Loaded({ shown }: { readonly shown: ShownArtifact }): ReactElement {
  const { resource, artifact } = shown;
  const query = useArtifact(resource.id, artifact.id, artifact.updated_at, true);
  const { data } = query;
  if (data === undefined) return <LoadingState query={query} />;
  if (data.content_type === 'text') return <TextContent shown={shown} text={data.content} />;
  const chunks = readChunks(data.type, data.content);
  if (chunks !== null) return <ChunksContent shown={shown} chunks={chunks} value={data.content} />;
  return (
    <>
      <ContentTools shown={shown} text={() => JSON.stringify(data.content, null, 2)} />
      <JsonTree value={data.content} label="Content" className={classes.pane} />
    </>
  );
}

interface LargeContentProps {
  readonly shown: ShownArtifact;
  readonly onWanted: () => void;
}

function LargeContent({ shown: { resource, artifact }, onWanted }: LargeContentProps): ReactElement {
  const { save, isSaving } = useSave(resource, artifact);
  return (
    <div className={classes.large}>
      <p>This is {formatBytes(artifact.size_bytes)}: showing it may take the browser a while.</p>
      <Group justify="center" mt="md">
        <Button variant="default" onClick={onWanted}>
          Show it
        </Button>
        <Button onClick={save} loading={isSaving}>
          Download
        </Button>
      </Group>
    </div>
  );
}
